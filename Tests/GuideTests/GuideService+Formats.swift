import Foundation

extension GuideService {
  /// Responses in other formats than JSON.
  static let formats: Script = { call, _ in
    switch call.path {
    case "/export.csv":
      return Reply(
        fields: [("Content-Type", "text/csv")],
        bytes: Array("Artikel;Preis;Lager\nTee;4,50;12\nB".utf8) + [0xFC] + Array("cher;12,00\nTasse;9,90;\n".utf8))
    case "/events.jsonl":
      return Reply(
        fields: [("Content-Type", "application/x-ndjson")],
        body:
          "{\"id\":1,\"at\":\"2024-01-01T00:00:00Z\"}\n{\"id\":2,\"at\":\n{\"id\":3,\"at\":\"2024-01-02T00:00:00Z\"}\n")
    case "/feed.xml":
      return Reply(
        fields: [("Content-Type", "application/xml")],
        body: """
          <?xml version="1.0"?>
          <feed xmlns:s="https://shop.example"><title>New</title><total>2</total>
            <entry id="7"><s:name>Tea</s:name><tag>hot</tag><tag>green</tag><price currency="EUR">4.50</price></entry>
            <entry id="8"><s:name>Cup</s:name><tag>blue</tag><price currency="EUR">9.90</price></entry>
          </feed>
          """)
    case "/orders.zip":
      return Reply(fields: [("Content-Type", "application/zip")], bytes: Array(Data(base64Encoded: archive) ?? Data()))
    case "/events.zip":
      return Reply(fields: [("Content-Type", "application/zip")], bytes: Array(Data(base64Encoded: hours) ?? Data()))
    case "/hosts.txt": return Reply(fields: [("Content-Type", "text/plain")], body: "10.0.0.1 db\n10.0.0.2 web\n")
    case "/old-export.csv":
      return Reply(body: "<!DOCTYPE html>\n<html><head><title>Sign in - Shop</title></head><body></body></html>\n")
    default: return .notFound
    }
  }

  /// Two files of two hours, each compressed with gzip, as a zip archive.
  private static let hours =
    "UEsDBBQAAAAAAAAAIVg6HOXiNgAAADYAAAAXAAAANDEvMjAyNC0wMS0wMV8wLmpzb24uZ3ofiwgAAAAAAAIDq1bKTFGyMtRRSi1LzStRslLKL0jN"
    + "U6rlqgaLGyHEk0orgcIAlbyIQi8AAABQSwMEFAAAAAAAAAAhWHZwMeQsAAAALAAAABcAAAA0MS8yMDI0LTAxLTAxXzEuanNvbi5neh+LCAAAAAAA"
    + "AgOrVspMUbIy1lFKLUvNK1GyUsovSM1TquUCAKEUwt8YAAAAUEsBAhQDFAAAAAAAAAAhWDoc5eI2AAAANgAAABcAAAAAAAAAAAAAAIABAAAAADQx"
    + "LzIwMjQtMDEtMDFfMC5qc29uLmd6UEsBAhQDFAAAAAAAAAAhWHZwMeQsAAAALAAAABcAAAAAAAAAAAAAAIABawAAADQxLzIwMjQtMDEtMDFfMS5q"
    + "c29uLmd6UEsFBgAAAAACAAIAigAAAMwAAAAAAA=="

  /// Two tables of two months and a text, as a zip archive.
  private static let archive =
    "UEsDBBQAAAAIAAAAIVjSPy8WEwAAABEAAAASAAAAMjAyNC0wMS9vcmRlcnMuY3N2y0yxLskvSczhMrQ2NNIxNeACAFBLAwQUAAAACAAAACFYGduDY"
    + "RkAAAAXAAAAEgAAADIwMjQtMDIvb3JkZXJzLmNzdstMsS7JL0nM4TKyNtcxMOAytjbUMTLlAgBQSwMEFAAAAAgAAAAhWI5ee+ASAAAAEAAAAAoAAA"
    + "BSRUFETUUudHh08y9KSS0qVkiqVMjNzyvJ4AIAUEsBAhQDFAAAAAgAAAAhWNI/LxYTAAAAEQAAABIAAAAAAAAAAAAAAIABAAAAADIwMjQtMDEvb3J"
    + "kZXJzLmNzdlBLAQIUAxQAAAAIAAAAIVgZ24NhGQAAABcAAAASAAAAAAAAAAAAAACAAUMAAAAyMDI0LTAyL29yZGVycy5jc3ZQSwECFAMUAAAACAAA"
    + "ACFYjl574BIAAAAQAAAACgAAAAAAAAAAAAAAgAGMAAAAUkVBRE1FLnR4dFBLBQYAAAAAAwADALgAAADGAAAAAAA="
}
