import { fail } from '@outpost/contract/errors'
import { amountFault, currencyOf } from '@outpost/rules/currency'
import type { AnyResource, Ctx } from '../types.ts'
import { linesOf } from './relations.ts'
import type { Columns } from '../resource/write.ts'

interface Fault {
  field: string
  message: string
}

/** Fails when an amount that a write gives has decimals that its currency does not have. `values` is what is written, `record` the record with it. */
export function refuseFractions(ctx: Ctx, resource: AnyResource, values: Columns, record: Columns): void {
  const faults = [
    ...faultsOf(ctx, resource, values, record),
    ...Object.keys(values).flatMap((key) => lineFaults(ctx, resource, key, values, record)),
  ]
  if (faults.length > 0) fail('INVALID', { fields: faults })
}

/** A changed currency decides again how many decimals the stored amounts may have. */
function faultsOf(ctx: Ctx, { fields }: AnyResource, values: Columns, record: Columns): Fault[] {
  return Object.entries(fields).flatMap(([field, { currency }]) => {
    if (currency === undefined || !(Object.hasOwn(values, field) || Object.hasOwn(values, currency))) return []
    const amount = record[field]
    const message =
      amount === null || amount === undefined ? undefined : amountFault(amount, currencyOf(currency, record, ctx.company.currency))
    return message === undefined ? [] : [{ field, message }]
  })
}

function lineFaults(ctx: Ctx, resource: AnyResource, key: string, values: Columns, record: Columns): Fault[] {
  const lines = linesOf(resource, key)
  if (!lines) return []
  return (values[key] as Columns[]).flatMap((line, place) =>
    faultsOf(ctx, lines.of, line, { ...record, ...line }).map(({ field, message }) => ({ field: `${key}.${place}.${field}`, message })),
  )
}
