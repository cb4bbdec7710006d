enum ClientCertificateKeys {
  static let construct = Construct(
    .clientCertificate, noun: "'client_certificate'",
    "The certificate that the client shows to the server (mutual TLS).",
    details: """
      It is shown if the server asks for one, and only to the flow's own origin and to the `url` of its `auth`. A \
      flow with another server than the file's `base_url` needs its own, or `none`.
      """,
    shortForm: .init(
      .choice(["none"]), "`none`: no certificate is shown, even if the file declares one.", examples: ["none"]),
    fields: [certificate, key, password],
    frame: .init(
      """
      reactor: 1
      secrets: [KEY_PASSWORD]
      http:
        base_url: https://api.example.com
        client_certificate:
          ◆
      flows: { orders: { resource: /orders } }
      """, supplies: ["file: tls/client.pem"]))

  static let certificate = Field(
    "file", .filePath, default: .required,
    "A PEM file with the certificate and those of its issuers, relative to the flow file.",
    details: "A file that ends with `.p12` or `.pfx` is PKCS #12, which contains the key too.", edit: .asksAnew,
    examples: ["file: tls/client.pem", "file: tls/client.p12"],
    mistakes: ["file: ↓''": .missingValue])

  static let key = Field(
    "key", .filePath, default: "in the file of the certificate",
    "A PEM file with the private key, relative to the flow file.", edit: .keepsResult,
    examples: ["key: tls/client.key"], mistakes: ["key: ↓''": .missingValue])

  static let password = Field(
    "password", .credential(), default: "none", "The password of the private key.", edit: .keepsResult,
    examples: ["password: \"{{ secrets.KEY_PASSWORD }}\""], mistakes: ["password: ↓hunter2": .plainCredential])
}
