// What docs/guides/databases.md shows of tables from Swift; the tests compare and run it.

import Databases
import FieldTypes
import ReactorCore
import Records

/// The columns of the table `products`.
let productColumns = RecordSchema(name: "product", fields: [FieldMapping("sku", .plain(.string))], key: ["sku"])

/// A flow of products whose result is in a table.
func productFlow(_ connection: some Connection, in database: Database) -> ReactorFlow<[Product]> {
  let parser = Parser.array(of: ModelMapping<Product>())
  return createFlow(connection: connection, configuration: FlowConfiguration(persistence: .disabled))
    .persisting(in: InTablePersistence(in: database, table: "products", schema: productColumns, parser: parser))
}

/// The database of toy tables. It has one connection, because its dialect locks nothing.
func toyDatabase(_ tables: ToyTables) -> Database {
  Database(name: "toy", dialect: ToyDialect(), connections: 1) { () throws(SQLError) in ToySession(tables) }
}
