import { fail } from '@outpost/contract/errors'
import type { Condition } from '@outpost/contract/fields'
import type { FormView, ListView } from '@outpost/contract/views'
import { sql } from '@outpost/platform/db/sql'
import { hasNetwork, networkName, networkOptions, networksOf } from '@outpost/rules/loans/mobile-money'
import type { Ctx, FieldDefinition } from '../../../kernel/types.ts'

const mpesa = 'mpesa'

interface Offered {
  /** What somebody means who names none. */
  usual?: string
  /** Names under which mobile money may be kept: what the company connected first, then the usual networks of its country. */
  names: string[]
  connected: string[]
}

/** A connection that was closed told of money in its time, which may still be captured. */
async function offeredIn({ sql: db, company }: Ctx): Promise<Offered> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct case when "provider" = ${mpesa} then ${mpesa} else "name" end as name from provider_connection
    where "companyId" = ${company.id}::uuid and ("provider" = ${mpesa} or "provider" = 'money' and "name" is not null) order by 1`)
  const connected = rows.map(({ name }) => name)
  const isThere = connected.includes(mpesa) || hasNetwork(company.country, mpesa)
  return { names: [...new Set([...connected, ...networksOf(company.country)])], connected, ...(isThere ? { usual: mpesa } : {}) }
}

/**
 * The provider under which mobile money that a person enters is kept: the one it came or went by, so that what this provider reports
 * later is the same money, and its statement shows it. Who names none means M-Pesa where that is there. INVALID naming the field for a network that the company does not know.
 */
export async function networkFor(ctx: Ctx, given: unknown, field = 'provider'): Promise<string> {
  const said = typeof given === 'string' ? given.trim().toLowerCase() : ''
  const { names, usual } = await offeredIn(ctx)
  const refuse = (message: string) => fail('INVALID', { fields: [{ field, message }] })
  if (said !== '') return names.includes(said) ? said : refuse(`must be one of ${names.join(', ')}`)
  return usual ?? refuse(`is required: one of ${names.join(', ')}`)
}

/** The network of money that goes or comes by a channel. */
export const networkField = (visibleIf: Condition): FieldDefinition => ({
  kind: 'text',
  label: 'Network',
  options: networkOptions,
  maxLength: 30,
  visibleIf,
  help: 'The network of the mobile money: its statement shows it',
})

interface ByChannel {
  channel?: string | undefined
  network?: string | null | undefined
}

/** The network of a row with a channel, as it is written: none but for mobile money. Nothing to write where neither is changed. */
export async function networkOf(ctx: Ctx, input: ByChannel, before?: ByChannel): Promise<{ network?: string | null }> {
  const isSame = (key: keyof ByChannel) => input[key] === undefined || (input[key] ?? null) === (before?.[key] ?? null)
  if (before && isSame('channel') && isSame('network')) return {}
  if ((input.channel ?? before?.channel) !== 'mobileMoney') return { network: null }
  return { network: await networkFor(ctx, input.network ?? before?.network, 'network') }
}

/** In forms people choose the network by its name; it is asked of mobile money alone. */
export const withNetworks =
  (key: 'provider' | 'network', isMobile: Condition) =>
  async (ctx: Ctx, view: FormView): Promise<FormView> => {
    const { names, usual } = await offeredIn(ctx)
    // A payment names what its receipt says; where money is to go, the usual network is there to begin with.
    const begun = key === 'network' && usual !== undefined ? { defaultValue: usual } : {}
    const fields = view.fields.map((field) =>
      field.key !== key || field.readOnly
        ? field
        : { ...field, kind: 'choice' as const, options: names.map(named), visibleIf: isMobile, requiredIf: isMobile, ...begun },
    )
    return { ...view, fields } as FormView
  }
const named = (value: string) => ({ value, label: networkName(value) })

/** The networks that the company may name. */
export const networksIn = async (ctx: Ctx) => (await offeredIn(ctx)).names.map(named)

/** In lists the names of the company's own providers may be chosen too. */
export async function withProviders(ctx: Ctx, view: ListView): Promise<ListView> {
  const { connected } = await offeredIn(ctx)
  const fields = view.fields.map((field) => {
    if (!field.options || (field.key !== 'provider' && field.key !== 'network')) return field
    const known = new Set(field.options.map(({ value }) => value))
    return { ...field, options: [...field.options, ...connected.filter((name) => !known.has(name)).map(named)] }
  })
  return { ...view, fields }
}
