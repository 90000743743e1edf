# formula.rb FILE -- loads a formula of Homebrew's with as much of its language as the file uses, and prints what it states.
require "json"

class Formula
  STATED = Hash.new { |h, k| h[k] = [] }
  %w[desc homepage url sha256 license depends_on].each do |word|
    define_singleton_method(word) { |what| STATED[word] << (what.is_a?(Hash) ? what.keys.first : what) }
  end

  def self.test(&block)
    STATED["test"] << block.arity
  end
end

load ARGV.fetch(0)
raise "no install" unless Numel.instance_methods(false).include?(:install)

puts JSON.generate(Formula::STATED)
