/** The context of a database statement; every statement of a request has one. */
export interface DbContext {
  /** The one company whose rows may be read or written; null sees nothing that a company owns. */
  company: string | null
  /** '*' = every tenant of the company, else the ids of the tenants (branches, teams) in reach. */
  scope: '*' | readonly string[]
  /** The acting user; null for the program itself. */
  user: string | null
  tenant: string | null
}

export type SqlValue = string | number | boolean | bigint | Date | null | Buffer | object | readonly unknown[]

/** A statement with its values apart, created by the sql tag; the only way to combine text and values. */
export interface Statement {
  text: string
  values: SqlValue[]
  /** Prepared once per connection under this name; for hot statements with stable text. */
  name?: string
}

/** The narrow interface to Postgres in a ctx. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]>
  /** Exactly one row, else an error. */
  one<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row>
  maybe<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row | undefined>
  /** Number of rows touched. */
  exec(statement: Statement): Promise<number>
  /** First column of the first row as unparsed text: for lists that Postgres built as JSON. */
  text(statement: Statement): Promise<string>
  /** Rows from a cursor; memory stays constant. */
  stream<Row extends object = Record<string, unknown>>(statement: Statement): AsyncIterable<Row>
}
