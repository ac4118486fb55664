import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { ContextPool } from './context-pool.ts'

/** Prisma as a ctx carries it: models only. Transactions, connections and raw SQL have doors of their own. */
export type Db = { readonly [Model in ModelName]: Omit<Client[Model], 'findUnique' | 'findUniqueOrThrow'> }

/** A model by the name of its property: 'lead'. */
export type ModelName = Uncapitalize<Prisma.ModelName>

/** A row of a model as Prisma gives it. */
export type ModelRow<Model extends ModelName> = Prisma.TypeMap['model'][Capitalize<Model>]['payload']['scalars']

/** A model's columns with their kinds, for what is checked against the database when the program starts. */
export const { ModelName: modelNames } = Prisma

type Client = ReturnType<typeof createClient>

let client: Db | undefined

/**
 * Prisma on whatever transaction is running (transactionIn). One client serves all: it owns no connection.
 * Its calls fail when no transaction is running.
 */
export function prisma(): Db {
  return (client ??= createClient())
}

function createClient() {
  const adapter = new PrismaPg(new ContextPool())
  return new PrismaClient({ adapter }).$extends({
    query: {
      $allModels: {
        // Prisma gathers the findUnique calls of one tick, of whatever requests, into one query: one company's
        // call could then run in the other's transaction.
        findUnique: () => refuse('findUnique', 'findFirst'),
        findUniqueOrThrow: () => refuse('findUniqueOrThrow', 'findFirstOrThrow'),
      },
    },
  })
}

function refuse(method: string, instead: string): never {
  throw new Error(`${method} is not allowed, because Prisma batches it across requests: use ${instead}`)
}
