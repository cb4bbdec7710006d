internal import ByteCodings
internal import CSigning
internal import Storage

/// Why a document cannot be sealed or opened. The message is the end of a sentence about the document.
struct SealError: Error, Sendable, Hashable {
  let message: String
  let help: String
}

/// Seals documents with AES-256-GCM.
///
/// The first byte of a stored document is its form: 0 and the document itself, or 1, four bytes that tell the keys
/// apart, 12 random bytes (the nonce), the sealed document and 16 bytes (the tag). The form, the kind and the name are
/// authenticated with it, so that nobody can exchange documents. With one key, 2^32 documents can be sealed
/// (NIST SP 800-38D, section 8.3).
enum DocumentSeal {
  static let markSize = 4
  private static let nonceSize = 12
  private static let tagSize = Int(csigning_tag_size)
  private static let (plain, sealed) = (UInt8(0), UInt8(1))

  /// Returns the bytes to store.
  ///
  /// - Throws: for a token without a key, and when libcrypto cannot be loaded
  static func seal(_ bytes: [UInt8], of document: StateDocument, with key: SealingKey?) throws(SealError) -> [UInt8] {
    guard let key else {
      guard document.kind != .tokens else { throw .noKey }
      return [plain] + bytes
    }
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    var result = [UInt8](repeating: 0, count: bytes.count + tagSize)
    let additional = additional(to: document)
    let error = csigning_seal(key.bytes, nonce, additional, additional.count, bytes, bytes.count, &result)
    guard error == 0 else { throw .noLibrary }
    return [sealed] + key.mark + nonce + result
  }

  /// Returns the document in stored bytes.
  ///
  /// - Throws: when the key is missing or another one, or when the bytes were changed
  static func open(_ stored: [UInt8], of document: StateDocument, with key: SealingKey?) throws(SealError) -> [UInt8] {
    switch stored.first {
    // A token that was not sealed was not written by this program.
    case plain where document.kind != .tokens: return Array(stored.dropFirst())
    case sealed: break
    default: throw .damaged(document)
    }
    guard let key else { throw .noKey }
    let count = stored.count - 1 - markSize - nonceSize - tagSize
    guard count >= 0 else { throw .damaged(document) }
    guard stored[1...].starts(with: key.mark) else { throw .otherKey(document) }
    let nonce = Array(stored[(1 + markSize)...].prefix(nonceSize))
    let content = Array(stored[(1 + markSize + nonceSize)...])
    var result = [UInt8](repeating: 0, count: count)
    let additional = additional(to: document)
    switch csigning_open(key.bytes, nonce, additional, additional.count, content, count, &result) {
    case 0: return result
    case Int32(csigning_no_library): throw .noLibrary
    default: throw .damaged(document)
    }
  }

  private static func additional(to document: StateDocument) -> [UInt8] {
    [sealed] + Array("\(document.kind.rawValue)\n\(document.name)".utf8)
  }
}

extension SealError {
  static let noKey = SealError(
    message: "is sealed, and there is no key", help: "set REACTOR_STATE_KEY to the key of the other processes")

  static var noLibrary: SealError {
    SealError(
      message: "needs libcrypto, which cannot be used: \(String(cString: csigning_failure()))",
      help: "install OpenSSL 3 (libssl3 on Debian and Ubuntu)")
  }

  static func otherKey(_ document: StateDocument) -> SealError {
    SealError(
      message: "was sealed with another key",
      help: "set REACTOR_STATE_KEY to that key; if it is lost, \(removal(of: document))")
  }

  static func damaged(_ document: StateDocument) -> SealError {
    SealError(message: "was changed by another program, or is damaged", help: removal(of: document))
  }

  /// The instruction to remove a document.
  private static func removal(of document: StateDocument) -> String {
    let row = "its row in the table 'reactor_documents'"
    return switch document.kind {
    case .tokens: "get a new refresh token, configure it, and delete \(row)"
    case .jobs: "delete \(row), so that the flow creates another job"
    case .notices: "delete \(row); its receiver is then told again what is wrong"
    }
  }
}
