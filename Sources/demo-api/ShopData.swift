/// The shop's records as JSON text, so every digit is sent as written.
enum ShopData {
  /// Thirteen customers under `data`. The fifth does not match the flow, because its id is not a number; it shows
  /// pruning.
  static let customers = """
    {"total": \(customerRecords.count), "data": [
    \(customerRecords.joined(separator: ",\n"))
    ]}
    """

  static let customerRecords = [
    record(
      1, "Ada Lovelace", "\"ada@example.com\"", "pro", "London", "SW1A 1AA", "2023-01-15T09:30:00Z", "true"),
    record(
      2, "Grace Hopper", "\"grace@example.com\"", "pro", "New York", "10001", "2023-02-01T23:59:59-05:00", "true"),
    record(
      3, "茶谷 さくら", "null", "free", "東京", "100-0001", "2023-03-03T00:00:00+09:00", "true"),
    record(
      4, "Zoë Müller-Lüdenscheidt", "\"zoe@example.com\"", "free", "Köln", "50667", "2023-04-01T12:00:00.125Z", "false"),
    """
    {"id": "C-5", "name": "Mallory Unknown", "email": null, "tier": "gold", "active": "perhaps", \
    "address": null, "created_at": "yesterday"}
    """,
    record(
      6, "Édith Piaf", "\"edith@example.com\"", "free", "Paris", "75020", "2023-06-18T18:06:00+02:00", "true"),
    record(
      7, "O'Brien \\\"The Pot\\\" Patrick", "null", "pro", "Dublin", "D02 XY45", "2023-07-07T07:07:07Z", "true"),
    record(
      8, "Nína Björk", "\"nina@example.com\"", "free", "Reykjavík", "101", "2023-08-31T23:00:00Z", "false"),
    """
    {"id": 9, "name": "Bob Nowhere", "email": null, "tier": "free", "active": true, "address": null, \
    "created_at": "2023-09-09T09:09:09Z"}
    """,
    record(
      10, "João 🍵 Silva", "\"joao@example.com\"", "pro", "Lisboa", "1100-148", "2023-10-10T10:10:10+01:00", "true"),
    record(
      11, "Ελένη Παπαδοπούλου", "\"eleni@example.com\"", "free", "Αθήνα", "105 57", "2023-11-11T11:11:11+02:00", "true"),
    record(
      12, "Linus Tea-Bags", "\"linus@example.com\"", "pro", "Helsinki", "00100", "2023-12-24T16:00:00+02:00", "true"),
    record(
      13, "محمد علي", "\"ali@example.com\"", "free", "القاهرة", "11511", "2024-02-29T00:00:00+02:00", "true"),
  ]

  private static func record(
    _ id: Int, _ name: String, _ email: String, _ tier: String, _ city: String, _ zip: String, _ created: String,
    _ active: String
  ) -> String {
    """
    {"id": \(id), "name": "\(name)", "email": \(email), "tier": "\(tier)", "active": \(active), \
    "address": {"city": "\(city)", "zip": "\(zip)"}, "created_at": "\(created)"}
    """
  }

  /// Orders with ids above 2^53, amounts as exact decimal text, and times with different zones.
  static let orders = #"""
    {"orders": [
    {"id": 9007199254740993, "customer": 1, "status": "paid", "amount": "19.90", "currency": "EUR",
     "placed_at": "2024-01-05T10:00:00+01:00",
     "lines": [{"sku": "TEA-1", "quantity": 2, "price": "7.45"}, {"sku": "CUP-9", "quantity": 1, "price": "5.00"}]},
    {"id": 9007199254740995, "customer": 2, "status": "shipped", "amount": "1234567890123456789.01", "currency": "USD",
     "placed_at": "2024-01-06T23:59:59.999-05:00",
     "lines": [{"sku": "POT-3", "quantity": 1, "price": "1234567890123456789.01"}]},
    {"id": 9223372036854775807, "customer": 3, "status": "open", "amount": "0.10", "currency": "JPY",
     "placed_at": "2024-02-29T00:00:00+09:00", "lines": []},
    {"id": 42, "customer": 12, "status": "cancelled", "amount": "-3.50", "currency": "EUR",
     "placed_at": "2024-03-31T03:00:00+02:00", "lines": [{"sku": "TEA-1", "quantity": -1, "price": "3.50"}]}
    ]}
    """#

  /// Products as an array without an envelope; prices are JSON numbers.
  static let products = #"""
    [
    {"sku": "TEA-1", "name": "Sencha 煎茶", "price": 7.45, "stock": 120, "tags": ["tea", "green"], "weight": null},
    {"sku": "TEA-2", "name": "Earl Grey \"No. 2\"", "price": 6.5, "stock": 0, "tags": ["tea", "black"], "weight": 0.25},
    {"sku": "CUP-9", "name": "Cup, small", "price": 5, "stock": 31, "tags": [], "weight": 0.2},
    {"sku": "POT-3", "name": "Teapot 🫖", "price": 1e2, "stock": 2, "tags": ["pot"], "weight": 1.75},
    {"sku": "SET-7", "name": "L'ensemble à thé", "price": 249.99, "stock": 1, "tags": ["pot", "cup"], "weight": 4.5}
    ]
    """#

  /// Exchange rates as an object whose keys are data.
  static let rates = #"""
    {"base": "EUR", "date": "2024-03-28", "rates": {"USD": "1.0811", "JPY": "163.45", "GBP": "0.85510"}}
    """#
}
