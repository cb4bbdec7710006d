import ReactorCLI
import Testing

@Suite struct SecretFileTests {
  @Test func `lines name secrets and values stay as written`() throws {
    let text = "\u{FEFF}# comment\r\n\r\nTOKEN=abc=def \r\n  INDENTED=x y#z\nEMPTY=\n_u9=Ä"
    let file = try SecretFile(path: "s.env", bytes: Array(text.utf8))
    #expect(file.secrets == ["TOKEN": "abc=def ", "INDENTED": "x y#z", "EMPTY": "", "_u9": "Ä"])
    #expect(file.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("A=1\nsecret-value", "s.env:2: the line is not NAME=value"),
      ("A B=secret-value", "s.env:1: the text before '=' is not a name"),
      ("export A=secret-value", "s.env:1: the text before '=' is not a name"),
      ("=secret-value", "s.env:1: the text before '=' is not a name"),
      ("A=secret-value\n\nA=2", "s.env:3: 'A' is already set in line 1"),
      ("A=secret-value\0", "secret file 's.env' is not UTF-8 text"),
    ])
  func `a faulty line is named and never shown`(text: String, message: String) {
    let error = #expect(throws: CommandError.self) { try SecretFile(path: "s.env", bytes: Array(text.utf8)) }
    #expect(error?.message == message)
    #expect(error?.message.contains("secret-value") == false)
    #expect(error?.help?.contains("secret-value") != true)
  }

  @Test func `quotes are taken as written with a warning`() throws {
    let file = try SecretFile(path: "s.env", bytes: Array("A=\"x\"\nB='y'\nC='\n".utf8))
    #expect(file.secrets == ["A": "\"x\"", "B": "'y'", "C": "'"])
    #expect(file.warnings.count == 2)
  }

  @Test func `bytes that are no text and huge files are refused`() {
    #expect(throws: CommandError.self) { try SecretFile(path: "s", bytes: [0x41, 0x3D, 0xFF]) }
    #expect(throws: CommandError.self) {
      try SecretFile(path: "s", bytes: [UInt8](repeating: 0x23, count: SecretFile.largest + 1))
    }
  }
}
