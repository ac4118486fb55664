/** Who a database statement works for; every statement of a request carries one. */
export interface DbContext {
  /** The one company whose rows may be seen or written; null sees nothing that a company owns. */
  company: string | null
  /** '*' = every tenant of the company, else the ids of the tenants (branches, teams) in reach. */
  scope: '*' | readonly string[]
  /** The acting user; null for the program itself. */
  user: string | null
  tenant: string | null
}

export type SqlValue = string | number | boolean | bigint | Date | null | Buffer | object | readonly unknown[]

/** A statement with its values apart, made by the sql tag; the only way text and values travel together. */
export interface Statement {
  text: string
  values: SqlValue[]
  /** Prepared once per connection under this name; give one to hot statements whose text is stable. */
  name?: string
}

/** The narrow door to Postgres that a ctx carries. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]>
  /** Exactly one row, else an error. */
  one<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row>
  maybe<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row | undefined>
  /** Number of rows touched. */
  exec(statement: Statement): Promise<number>
  /** First column of the first row as text, unparsed: how lists that Postgres built as JSON pass through. */
  text(statement: Statement): Promise<string>
  /** Rows from a cursor; memory stays constant. */
  stream<Row extends object = Record<string, unknown>>(statement: Statement): AsyncIterable<Row>
}
