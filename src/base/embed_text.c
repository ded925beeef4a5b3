/* A tool of the build, `embed_text HEADER NAME FILE...`: writes the files, one after the other, as
 * the C array NAME_text and its length NAME_length, which HEADER declares. */
#include <stdio.h>

int
main(int argc, char **argv)
{
    size_t n = 0;
    if (argc < 4)
        return 2;
    printf("#include \"%s\"\n\nconst char %s_text[] = {", argv[1], argv[2]);
    for (int i = 3; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        for (int c = getc(file); c != EOF; c = getc(file), n++)
            printf("%s%d,", n % 24 == 0 ? "\n" : "", c);
        fclose(file);
    }
    printf("0};\nconst size_t %s_length = %zu;\n", argv[2], n);
    return n == 0;
}
