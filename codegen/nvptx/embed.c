/* A build tool that embeds libclc's bitcode in ck:
 *   embed names           writes the libclc names of math.def, one per line
 *   embed array FILE      writes FILE as the C array of libclc.h */
#include <stdio.h>
#include <string.h>

static int
write_names(void)
{
#define CK_MATH(id, libclc, libdevice, host, type, n) puts(libclc);
#include "codegen/core/math.def"
#undef CK_MATH
    return 0;
}

static int
write_array(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t n = 0;
    printf("#include \"codegen/nvptx/libclc.h\"\n\n_Alignas(8) const unsigned char "
           "ck_libclc_bitcode[] "
           "= {");
    for (int c = getc(file); c != EOF; c = getc(file), n++)
        printf("%s%d,", n % 24 == 0 ? "\n" : "", c);
    printf("\n};\nconst size_t ck_libclc_size = %zu;\n", n);
    fclose(file);
    return n == 0;
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "names") == 0)
        return write_names();
    if (argc == 3 && strcmp(argv[1], "array") == 0)
        return write_array(argv[2]);
    fprintf(stderr, "usage: embed names | embed array FILE\n");
    return 2;
}
