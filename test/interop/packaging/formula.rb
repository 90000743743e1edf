# formula.rb FILE [PREFIX] -- loads a formula of Homebrew's with as much of its language as the file uses, and prints what it states.
# With a prefix: installs into it from the source in this folder instead, and runs the formula's test.
require "fileutils"
require "json"

class Formula
  STATED = Hash.new { |h, k| h[k] = [] }
  %w[desc homepage url sha256 license depends_on].each do |word|
    define_singleton_method(word) { |what| STATED[word] << (what.is_a?(Hash) ? what.keys.first : what) }
  end

  def self.test(&block)
    STATED["test"] << block.arity
    define_method(:run_test, &block)
  end

  # A folder into which files are installed.
  class Folder < String
    def install(path)
      FileUtils.mkdir_p(self)
      FileUtils.cp_r(path, self)
    end
  end

  attr_reader :prefix

  def initialize(prefix)
    @prefix = prefix
  end

  def bin = "#{prefix}/bin"
  def pkgshare = Folder.new("#{prefix}/share/numel")
  def version = STATED["url"][0][%r{/v([\d.]+)\.tar}, 1]
  def system(*words) = Kernel.system(*words, out: File::NULL) || raise("failed: #{words.join(" ")}")
  def assert_match(what, text) = text.include?(what) || raise("#{what} is not in #{text}")

  def shell_output(command)
    output = `#{command}`
    $?.success? ? output : raise("failed: #{command}")
  end
end

load ARGV.fetch(0)
raise "no install" unless Numel.instance_methods(false).include?(:install)

if ARGV[1]
  one = Numel.new(ARGV[1])
  one.install
  one.run_test
else
  puts JSON.generate(Formula::STATED)
end
