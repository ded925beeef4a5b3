# Lines that end with \r\n, and characters of several bytes and units.
@kernel
def größe(x: float32[:]):
    α = grid(1)  # 🙂🙂
    x[α] = "🙂" == "𝄞"; β = α
    x[β] = unbekannt
