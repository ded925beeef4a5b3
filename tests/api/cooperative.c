/* The query of section 4.4.8.1 of CUDA's guide: prints whether the device named on the command line
 * launches cooperatively. Exits with 77 where there is no such device. */
#include <stdio.h>

#include <ck/ck.h>

int
main(int argc, char **argv)
{
    ck_context *ctx = NULL;
    ck_device *dev = NULL;
    if (argc != 2 || ck_context_new(&ctx, NULL) != CK_OK)
        return 2;
    ck_status status = ck_device_open(&dev, ctx, argv[1], NULL);
    if (status == CK_OK) {
        int supports_coop_launch = ck_device_get_info(dev)->cooperative_launch;
        printf("%d\n", supports_coop_launch);
    }
    ck_device_free(dev);
    ck_context_free(ctx);
    return status == CK_OK ? 0 : status == CK_ERROR_NO_DEVICE ? 77 : 1;
}
