/* The manifest in a cubin: the array that PTX declares is a variable of global memory, whose bytes
 * ptxas keeps in the ELF file. */
#include <elf.h>
#include <string.h>

#include "runtime/context/context.h"
#include "runtime/image/manifest.h"

/* A part of the file; NULL if the file ends before it does. */
struct part {
    const char *bytes;
    size_t length;
};

static struct part
part_of(struct part file, uint64_t at, uint64_t length)
{
    if (at > file.length || length > file.length - at)
        return (struct part){NULL, 0};
    return (struct part){file.bytes + at, (size_t)length};
}

static bool
read_section(Elf64_Shdr *out, struct part file, const Elf64_Ehdr *header, uint32_t i)
{
    struct part part = part_of(file, header->e_shoff + (uint64_t)i * sizeof *out,
                               i < header->e_shnum ? sizeof *out : UINT64_MAX);
    if (part.bytes)
        memcpy(out, part.bytes, sizeof *out);
    return part.bytes != NULL;
}

static bool
is_named(struct part names, uint32_t at)
{
    return part_of(names, at, sizeof CK_MANIFEST_SYMBOL).bytes &&
           !memcmp(names.bytes + at, CK_MANIFEST_SYMBOL, sizeof CK_MANIFEST_SYMBOL);
}

/* The bytes of the manifest's variable, by a table of symbols. */
static struct part
find_in_table(struct part file, const Elf64_Ehdr *header, const Elf64_Shdr *table)
{
    struct part symbols = part_of(file, table->sh_offset, table->sh_size), names = {NULL, 0};
    Elf64_Shdr section;
    if (read_section(&section, file, header, table->sh_link))
        names = part_of(file, section.sh_offset, section.sh_size);
    for (size_t i = 0; names.bytes && i < symbols.length / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols.bytes + i * sizeof symbol, sizeof symbol);
        if (is_named(names, symbol.st_name) &&
            read_section(&section, file, header, symbol.st_shndx) &&
            section.sh_type == SHT_PROGBITS)
            return part_of(part_of(file, section.sh_offset, section.sh_size), symbol.st_value,
                           symbol.st_size);
    }
    return (struct part){NULL, 0};
}

/* Whether the file has all that its tables name: the driver gets no length. */
static bool
is_whole(struct part file, const Elf64_Ehdr *header)
{
    Elf64_Shdr section;
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        if (!read_section(&section, file, header, i) ||
            (section.sh_type != SHT_NOBITS &&
             !part_of(file, section.sh_offset, section.sh_size).bytes))
            return false;
    }
    return part_of(file, header->e_phoff, (uint64_t)header->e_phnum * header->e_phentsize).bytes;
}

static struct part
find(struct part file)
{
    Elf64_Ehdr header;
    Elf64_Shdr table;
    if (!part_of(file, 0, sizeof header).bytes)
        return (struct part){NULL, 0};
    memcpy(&header, file.bytes, sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof table ||
        !is_whole(file, &header))
        return (struct part){NULL, 0};
    for (uint32_t i = 0; i < header.e_shnum && read_section(&table, file, &header, i); i++) {
        if (table.sh_type == SHT_SYMTAB)
            return find_in_table(file, &header, &table);
    }
    return (struct part){NULL, 0};
}

ck_status
ck_manifest_read_cubin(struct ck_manifest *out, struct ck_arena *arena, ck_context *ctx,
                       const char *cubin, size_t length)
{
    struct part text = find((struct part){cubin, length});
    if (!text.bytes)
        return ck_fail(ctx, CK_ERROR_FORMAT,
                       "not a cubin of ck, or cut short: there is no manifest (`" CK_MANIFEST_SYMBOL
                       "`) in it");
    while (text.length && !text.bytes[text.length - 1])
        text.length--; /* of the last word */
    return ck_manifest_read(out, arena, ctx, text.bytes, text.length);
}
