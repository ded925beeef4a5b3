/* A tool of the build: writes the files named as the C array of prelude.h. */
#include <stdio.h>

int
main(int argc, char **argv)
{
    size_t n = 0;
    printf("#include \"lang/prelude/prelude.h\"\n\nconst char ck_prelude_text[] = {");
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        for (int c = getc(file); c != EOF; c = getc(file), n++)
            printf("%s%d,", n % 24 == 0 ? "\n" : "", c);
        fclose(file);
    }
    printf("0};\nconst size_t ck_prelude_length = %zu;\n", n);
    return n == 0;
}
