import { fail } from '@outpost/contract/errors'
import type { FormView } from '@outpost/contract/views'
import { sql } from '@outpost/platform/db/sql'
import { hasNetwork, networkName, networksOf } from '@outpost/rules/loans/mobile-money'
import type { Ctx } from '../../../kernel/types.ts'
import { mpesa } from './mpesa.ts'

interface Offered {
  /** Names under which mobile money may be kept: what the company connected first, then the usual networks of its country. */
  names: string[]
  isMpesaConnected: boolean
}

/** A connection that was closed told of money in its time, which may still be captured. */
async function offeredIn({ sql: db, company }: Ctx): Promise<Offered> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct case when "provider" = ${mpesa} then ${mpesa} else "name" end as name from provider_connection
    where "companyId" = ${company.id}::uuid and ("provider" = ${mpesa} or "provider" = 'money' and "name" is not null) order by 1`)
  const connected = rows.map(({ name }) => name)
  return { names: [...new Set([...connected, ...networksOf(company.country)])], isMpesaConnected: connected.includes(mpesa) }
}

/**
 * The provider that mobile money captured by hand is kept under: the one it came by, so that what this provider tells of later is the same money, and its
 * statement shows it. Who names none means M-Pesa where that is there. INVALID naming the field for a network that the company does not know.
 */
export async function networkFor(ctx: Ctx, given: unknown): Promise<string> {
  const said = typeof given === 'string' ? given.trim().toLowerCase() : ''
  const { names, isMpesaConnected } = await offeredIn(ctx)
  const refuse = (message: string) => fail('INVALID', { fields: [{ field: 'provider', message }] })
  if (said !== '') return names.includes(said) ? said : refuse(`must be one of ${names.join(', ')}`)
  if (isMpesaConnected || hasNetwork(ctx.company.country, mpesa)) return mpesa
  return refuse(`is required: one of ${names.join(', ')}`)
}

/** In the form of a new payment people choose the network by its name; it is asked of mobile money alone. */
export async function withNetworks(ctx: Ctx, view: FormView): Promise<FormView> {
  const { names } = await offeredIn(ctx)
  const isMobile = { eq: ['method', 'mobileMoney'] } as const
  const fields = view.fields.map((field) =>
    field.key !== 'provider' || field.readOnly
      ? field
      : {
          ...field,
          kind: 'choice' as const,
          options: names.map((value) => ({ value, label: networkName(value) })),
          visibleIf: isMobile,
          requiredIf: isMobile,
        },
  )
  return { ...view, fields } as FormView
}
