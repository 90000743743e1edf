# url and sha256 are placeholders: replace both.
class Numel < Formula
  desc "Show what is in a model checkpoint (safetensors, GGUF)"
  homepage "https://example.org/numel"
  url "https://example.org/numel/archive/v0.3.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "curl"
  depends_on "openssl@3"
  depends_on "ncurses"
  depends_on "zstd"

  def install
    system "make", "install-tool", "PREFIX=#{prefix}", "STRIP=:"
    pkgshare.install "fixtures/gptq-tiny"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/numel --version")
    assert_match "agrees with llama", shell_output("#{bin}/numel #{pkgshare}/gptq-tiny")
  end
end
