"""examples/python: each compares its results with NumPy's or PyTorch's."""

from python.common import devices, environment, need_module, python


def run(t, name, *arguments):
    for device in devices(t):
        result = t.ok([python(t), "-W", "error", t.examples / "python" / name, *arguments],
                      env=environment(t, CK_DEVICE=device, CK_CHECK=""), timeout=180)
        assert "as NumPy's" in result.out or "as PyTorch's" in result.out, result


def test_heat(t):
    run(t, "heat.py", "--size", "67", "--steps", "100")


def test_heat_with_checks(t):
    t.ok([python(t), t.examples / "python" / "heat.py", "--size", "40", "--steps", "5"],
         env=environment(t, CK_DEVICE="cpu", CK_CHECK="all"))


def test_image_filter(t):
    run(t, "image_filter.py")
    run(t, "image_filter.py", "--size", "1", "500")


def test_softmax(t):
    need_module(t, "torch")
    for device in devices(t):
        t.ok([python(t), t.examples / "python" / "softmax.py", "--device", device],
             env=environment(t), timeout=180)


def test_plots(t):
    need_module(t, "matplotlib")
    for name in ("heat.py", "image_filter.py"):
        run(t, name, "--plot", t.tmp / f"{name}.png")
        assert (t.tmp / f"{name}.png").read_bytes().startswith(b"\x89PNG")
