/* The build id that the linker writes into a program or shared library: a hash of all of it. */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "base/pack.h"
#include "runtime/cache/cache.h"

struct search {
    uintptr_t address;
    struct ck_strbuf *key;
    bool found;
};

static bool
covers(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - object->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static size_t
rounded(size_t n)
{
    return (n + 3) / 4 * 4;
}

static void
read_notes(struct search *search, const char *notes, size_t length)
{
    ElfW(Nhdr) note;
    while (length >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t content = sizeof note + rounded(note.n_namesz),
               end = content + rounded(note.n_descsz);
        if (end > length)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            !memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)) {
            ck_pack_bytes(search->key, notes + content, note.n_descsz);
            search->found = true;
            return;
        }
        notes += end;
        length -= end;
    }
}

static int
look_at(struct dl_phdr_info *object, size_t size, void *opaque)
{
    struct search *search = opaque;
    if (!covers(object, search->address))
        return 0;
    for (int i = 0; i < object->dlpi_phnum && !search->found; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_NOTE)
            read_notes(search, (const char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz);
    }
    return 1;
}

bool
ck_cache_add_build(struct ck_strbuf *key, const void *address)
{
    struct search search = {.address = (uintptr_t)address, .key = key};
    dl_iterate_phdr(look_at, &search);
    return search.found;
}
