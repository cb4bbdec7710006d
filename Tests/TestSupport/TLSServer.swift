import Foundation

/// A small HTTPS server in a Python process, with certificates from the openssl command; nil where either is missing.
///
/// `/whole` and `/cut` both response without a length; only the first ends its TLS stream properly.
public final class TLSServer {
  /// The port on loopback.
  public let port: Int
  /// The authority that signed the good certificate and those of clients.
  public let authority: String
  private let folder: URL
  private let process: Process

  /// Which certificate it shows.
  public enum Certificate: String, Sendable { case good, otherName, expired, selfSigned }

  /// The path of a file beside the authority: `client.pem`, `client.key` (with the password `key-4711`), `client.p12`
  /// (with the same), `plain.pem` (certificate and key without a password), `other.pem` (of another authority).
  public func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Starts a server.
  ///
  /// - Parameter demandsCertificate: whether clients must show a certificate of the authority; `/who` says whose it is
  public init?(_ certificate: Certificate, demandsCertificate: Bool = false) throws {
    guard let openssl = Self.find("openssl"), let python = Self.find("python3") else { return nil }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = folder.appendingPathComponent("ca.pem").path
    try Self.script.write(to: folder.appendingPathComponent("server.py"), atomically: true, encoding: .utf8)
    try Self.makeCertificates.write(to: folder.appendingPathComponent("make.sh"), atomically: true, encoding: .utf8)
    let make = Process()
    make.executableURL = URL(fileURLWithPath: "/bin/sh")
    make.arguments = ["make.sh", openssl, certificate.rawValue]
    make.currentDirectoryURL = folder
    make.standardError = FileHandle.nullDevice
    make.standardOutput = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["server.py"] + (demandsCertificate ? ["demand"] : ["accept"])
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
      line += byte
    }
    guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw POSIXError(.ENOEXEC) }
    self.port = port
  }

  /// Ends the server.
  public func stop() {
    // The threads of tests block the polite signals, and a child inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func find(_ name: String) -> String? {
    ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static let makeCertificates = """
    set -e
    ssl=$1 kind=$2
    $ssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=reactor-test-authority \
      -addext basicConstraints=critical,CA:TRUE
    name=IP:127.0.0.1
    if [ $kind = otherName ]; then name=DNS:elsewhere.example; fi
    days=2
    if [ $kind = expired ]; then days=-1; fi
    if [ $kind = selfSigned ]; then
      $ssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=x -addext subjectAltName=$name
    else
      $ssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out req.pem -subj /CN=x
      echo subjectAltName=$name > ext
      $ssl x509 -req -in req.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days $days -extfile ext
    fi
    $ssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout plain.key -out client.req -subj /CN=ada
    $ssl x509 -req -in client.req -CA ca.pem -CAkey ca.key -CAcreateserial -out client.pem -days 2
    $ssl ec -in plain.key -aes256 -passout pass:key-4711 -out client.key
    $ssl pkcs12 -export -in client.pem -inkey plain.key -passout pass:key-4711 -out client.p12
    cat client.pem plain.key > plain.pem
    $ssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout other.key -out other.crt -days 2 -subj /CN=mallory
    cat other.crt other.key > other.pem
    """

  private static let script = """
    import socket, ssl, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    if len(sys.argv) > 1:
        context.verify_mode = ssl.CERT_REQUIRED if sys.argv[1] == "demand" else ssl.CERT_OPTIONAL
        context.load_verify_locations("ca.pem")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    print(listener.getsockname()[1], flush=True)
    def serve(plain):
        try:
            stream = context.wrap_socket(plain, server_side=True)
            while True:
                data = b""
                while b"\\r\\n\\r\\n" not in data:
                    more = stream.recv(65536)
                    if not more: return
                    data += more
                path = data.split(b" ")[1]
                if path == b"/who":
                    shown = stream.getpeercert()
                    body = ('[{"id":1,"name":"%s"}]' % shown["subject"][0][0][1]).encode() if shown else b"hello"
                    stream.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
                    continue
                if path.startswith(b"/to/"):
                    stream.sendall(b"HTTP/1.1 302 X\\r\\nLocation: https://127.0.0.1:" + path[4:] + b"/who\\r\\nContent-Length: 0\\r\\n\\r\\n")
                    continue
                if path == b"/whole":
                    stream.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\nhello")
                    stream.unwrap()
                    return
                if path == b"/cut":
                    stream.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\nhel")
                    plain = stream.detach()
                    socket.socket(fileno=plain).shutdown(socket.SHUT_WR)
                    return
                if path == b"/down":
                    stream.sendall(b"HTTP/1.1 302 X\\r\\nLocation: http://127.0.0.1:1/\\r\\nContent-Length: 0\\r\\n\\r\\n")
                    continue
                stream.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello")
        except OSError:
            pass
        finally:
            plain.close() if hasattr(plain, "close") else None
    while True:
        plain, _ = listener.accept()
        threading.Thread(target=serve, args=(plain,), daemon=True).start()
    """
}
