import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { ContextPool } from './context-pool.ts'

/** Prisma in a ctx: models only. Transactions, connections and raw SQL have functions of their own. */
export type Db = { readonly [Model in ModelName]: Omit<Client[Model], 'findUnique' | 'findUniqueOrThrow'> }

/** A model by the name of its property: 'lead'. */
export type ModelName = Uncapitalize<Prisma.ModelName>

/** A row of a model as Prisma returns it. */
export type ModelRow<Model extends ModelName> = Prisma.TypeMap['model'][Capitalize<Model>]['payload']['scalars']

/** A model's columns with their kinds, for checks against the database at start. */
export const { ModelName: modelNames } = Prisma

type Client = ReturnType<typeof createClient>

let client: Db | undefined

/**
 * Prisma on the running transaction (transactionIn). One client serves all: it owns no connection. Its calls fail when no transaction is
 * running.
 */
export function prisma(): Db {
  return (client ??= createClient())
}

function createClient() {
  const adapter = new PrismaPg(new ContextPool())
  return new PrismaClient({ adapter }).$extends({
    query: {
      $allModels: {
        // Prisma batches the findUnique calls of one tick, of any requests, into one query: one company's
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
