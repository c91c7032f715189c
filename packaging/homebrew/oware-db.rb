# Endgame databases for Oware: the program, its manual pages and completions.
class OwareDb < Formula
  desc "Endgame databases for Oware: build exact tables, query perfect play"
  homepage "@PROJECT@"
  url "@ADDRESS@/oware-db-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"oware", "completions")
    system bin/"oware", "man", "--out", "man1"
    man1.install Dir["man1/*"]
  end

  test do
    system bin/"oware", "build", "--quiet", "--seeds", "8", "--tables", testpath/"tables"
    system bin/"oware", "check", "--proof", "--tables", testpath/"tables"
  end
end
