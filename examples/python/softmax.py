#!/usr/bin/env python3
"""Softmax as an autograd function of PyTorch: kernels of a text for the values and the gradient, on
tensors where they lie.

    softmax.py [--device cuda]

A block does a row: its threads find the row's maximum and sum together. The values and the
gradients are compared with PyTorch's own. It needs PyTorch."""

import argparse

import torch

import ck

KERNELS = """
@kernel
def softmax(x, y):
    row = blockIdx.x
    block = this_thread_block()
    columns = x.shape[1]
    largest = float32(-inf)
    for j in range(threadIdx.x, columns, blockDim.x):
        largest = max(largest, x[row, j])
    largest = reduce(block, largest, greater)
    total = float32(0)
    for j in range(threadIdx.x, columns, blockDim.x):
        total += exp(x[row, j] - largest)
    total = reduce(block, total, plus)
    for j in range(threadIdx.x, columns, blockDim.x):
        y[row, j] = exp(x[row, j] - largest) / total

@kernel
def softmax_gradient(y, dy, dx):
    row = blockIdx.x
    block = this_thread_block()
    columns = y.shape[1]
    dot = float32(0)
    for j in range(threadIdx.x, columns, blockDim.x):
        dot += y[row, j] * dy[row, j]
    dot = reduce(block, dot, plus)
    for j in range(threadIdx.x, columns, blockDim.x):
        dx[row, j] = y[row, j] * (dy[row, j] - dot)
"""
BLOCK = 128


class Softmax(torch.autograd.Function):
    """Softmax of the rows of a float32 matrix."""

    module = None  # made by main: the device is chosen there

    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        Softmax.module.softmax[x.shape[0], BLOCK](x.detach(), y)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        dx = torch.empty_like(y)
        Softmax.module.softmax_gradient[y.shape[0], BLOCK](y.detach(), dy, dx)
        return dx


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    device = parser.parse_args().device
    Softmax.module = ck.compile(text=KERNELS, name="softmax.py", device=device)
    for shape in ((1, 1), (7, 33), (64, 1000)):
        x = torch.randn(shape, device=device, requires_grad=True)
        weights = torch.randn(shape, device=device)
        y = Softmax.apply(x)
        (gradient,) = torch.autograd.grad((y * weights).sum(), x)
        due = torch.softmax(x, 1)
        (due_gradient,) = torch.autograd.grad((due * weights).sum(), x)
        assert torch.allclose(y, due, rtol=1e-4, atol=1e-6), abs(y - due).max()
        assert torch.allclose(gradient, due_gradient, rtol=1e-3, atol=1e-6)
        print(f"{shape[0]} x {shape[1]}: values and gradients as PyTorch's")


if __name__ == "__main__":
    main()
