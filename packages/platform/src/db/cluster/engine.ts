import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils'
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type * as Engine from '@prisma/schema-engine-wasm'

// Node has it, but only the browser's type library declares it.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

let loading: Promise<void> | undefined

export interface EngineOptions {
  /** Where migrations are applied or drift is checked. */
  url: string
  /** An empty database in which migrations may be replayed; needed to compare migrations with a schema. */
  shadowUrl?: string
  /** Prisma schema files, path and text. */
  datamodels?: [path: string, content: string][]
}

/** Runs Prisma's schema engine as WebAssembly over pg; nothing is downloaded. fx_owner owns everything it creates. */
export async function withSchemaEngine<Result>(
  { url, shadowUrl, datamodels }: EngineOptions,
  use: (engine: Engine.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  await (loading ??= loadBindings())
  const pools: pg.Pool[] = []
  const open = (connectionString: string) => {
    const pool = enginePool(connectionString)
    pools.push(pool)
    return openAdapter(pool)
  }
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => open(url),
    // The adapter's own shadow database needs CREATEDB and is dropped before its connections close; so ours is passed.
    connectToShadowDb: () => open(shadowUrl ?? refuseShadow()),
  })
  const engine = await SchemaEngineClass().new({ datamodels }, () => undefined, factory)
  try {
    return await use(engine)
  } finally {
    engine.free()
    // The engine leaves its connections open, and the advisory lock with them, for which the next run waits.
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

// schema_engine_bg has types for its loader only; its exports are the package's own types.
const SchemaEngineClass = () => (bindings as unknown as typeof Engine).SchemaEngine

const refuseShadow = (): never => {
  throw new Error('This needs a shadow database')
}

/** The package's entry imports .wasm as a module, which Node cannot do; so it is instantiated by hand. */
async function loadBindings(): Promise<void> {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'))
  const bytes = await readFile(join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': importsOf(bindings) })
  bindings.__wbg_set_wasm(instance.exports)
  // The engine reports its error here and then traps with "unreachable".
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) } })
  const start = instance.exports.__wbindgen_start
  if (typeof start !== 'function') throw new Error('schema_engine_bg.wasm has no start function')
  start()
}

/** The functions that the engine may call, as wasm-bindgen names them. */
function importsOf(functions: object): object {
  // The engine leaves its time limit for the lock (10 s) running, which would keep a finished program alive.
  const forget =
    (start: (...given: unknown[]) => NodeJS.Timeout) =>
    (...given: unknown[]) =>
      start(...given).unref()
  return Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [
      name,
      name.startsWith('__wbg_setTimeout') ? forget(call as (...given: unknown[]) => NodeJS.Timeout) : call,
    ]),
  )
}

/** Prisma's adapter with two corrections that the engine needs. */
async function openAdapter(pool: pg.Pool): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(pool).connect()
  const queryRaw = adapter.queryRaw.bind(adapter)
  return Object.assign(adapter, {
    // It would split a script at every semicolon, function bodies included; Postgres accepts it whole, as one transaction.
    executeScript: async (script: string) => {
      await pool.query(script).catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? nameForEngine(error) : error
      })
    },
    queryRaw: async (query: SqlQuery) => {
      const result = await queryRaw(query)
      const columnTypes = result.columnTypes.map((type) => (type === fakeType ? ColumnTypeEnum.Character : type))
      return { ...result, columnTypes }
    },
  })
}

const fakeType = ColumnTypeEnum.CharacterArray
const charType = pg.types.builtins.CHAR
const charArrayType = 1002

/**
 * The engine reads pg_constraint.contype, of the internal type "char", which the adapter of 7.10 refuses: the adapter gets it as
 * "char"[], a type that no catalogue query returns, and the engine as what it is.
 */
function enginePool(connectionString: string): pg.Pool {
  const options = { connectionString, options: '-c role=fx_owner', max: 2, connectionTimeoutMillis: 5_000 }
  const pool = new pg.Pool(options)
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult | pg.QueryResult[]>
  const disguisedQuery = async (config: pg.QueryConfig) => {
    const result = await query(config)
    const fields = [result].flat().flatMap((each) => each.fields)
    for (const field of fields) if (field.dataTypeID === charType) field.dataTypeID = charArrayType
    return result
  }
  return Object.assign(pool, { query: disguisedQuery })
}

/** The engine prints an error of this shape with its message; of any other it shows a number. */
function nameForEngine(error: pg.DatabaseError): DriverAdapterError {
  const { code = '', severity = 'ERROR', detail, column, hint, position, where } = error
  const at = [position && `at character ${position}`, where].filter(Boolean).join(', ')
  const message = at ? `${error.message} (${at})` : error.message
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint })
}
