import FlowModel
import FlowSpec
import Testing

@Suite struct AllowTextTests {
  @Test(arguments: [
    ("api.example.com", "api.example.com"), ("API.Example.com", "api.example.com"), ("*.example.com", "*.example.com"),
    ("*", "*"), ("localhost", "localhost"), ("my_host-1", "my_host-1"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("127.0.0.1", "127.0.0.1"), ("10.0.0.0/8", "10.0.0.0/8"), ("0.0.0.0/0", "0.0.0.0/0"), ("::1", "::1"),
    ("fd00::/8", "fd00::/8"), ("::ffff:10.0.0.0/104", "::ffff:10.0.0.0/104"), ("192.168.128.0/17", "192.168.128.0/17"),
  ])
  func `hosts, addresses and ranges are read`(_ text: String, _ shown: String) throws {
    #expect(try AllowText.value(of: text).text == shown)
  }

  @Test func `a range is its first address and the number of bits that count`() throws {
    #expect(
      try AllowText.value(of: "192.168.128.0/17")
        == .network(bytes: [192, 168, 128, 0], bits: 17, text: "192.168.128.0/17"))
    #expect(
      try AllowText.value(of: "::1")
        == .network(bytes: Array(repeating: 0, count: 15) + [1], bits: 128, text: "::1"))
  }

  @Test(arguments: [
    ("https://api.example.com/v2", "api.example.com"), ("http://[fd00::1]:8080/", "fd00::1"),
    ("localhost:8080", "localhost"), ("[::1]", "::1"), ("10.1.2.3/8", "10.0.0.0/8"), ("fd00::1/8", "fd00::/8"),
    ("api.example.com/24", "api.example.com"), ("10.0.0.1:80", "10.0.0.1"),
  ])
  func `suggestions are reported`(_ text: String, _ meant: String) {
    let error = #expect(throws: ValueError.self) { try AllowText.value(of: text) }
    #expect(error?.suggestion == meant)
  }

  @Test(arguments: [
    "", " ", "a b", "a..b", ".example.com", "example.com.", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/",
    "::/129", "10.*", "10.0.*.*", "127.1", "2130706433", "0x7f000001", "0x7f.1", "1.2.3.4.5", "bücher.example",
    "a\u{7}b", "user@example.com", "fe80::1%eth0", "10.0.0.0/8/8", "{{ vars.host }}",
  ])
  func `everything else is an error`(_ text: String) {
    #expect(throws: ValueError.self) { try AllowText.value(of: text) }
  }
}
