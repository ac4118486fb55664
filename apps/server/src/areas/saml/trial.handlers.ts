import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { findMeant, type Meant } from './person.ts'
import { addressesOf, checkedOf, providerColumns, type Provider } from './provider.ts'
import { AssertionRefused, readResponse } from './response.ts'
import { samlProvider } from './saml-provider.resource.ts'
import { maxXml } from './xml.ts'

export const trialInput = z.strictObject({
  id: idSchema,
  /** The SAMLResponse as the browser sent it (base 64), or its XML. */
  response: z
    .string()
    .trim()
    .min(1)
    .max(maxXml * 2),
})

const named = z.strictObject({ Id: identifierSchema, name: z.string() })
export const trialAnswer = z.strictObject({
  isAccepted: z.boolean(),
  /** Why not; null when it would sign somebody in. */
  refusal: z.string().nullable(),
  nameId: z.string().nullable(),
  email: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  attributes: z.array(z.strictObject({ name: z.string(), values: z.array(z.string()) })),
  /** Whom it signs in; null for somebody who would be made. */
  user: named.nullable(),
  /** identity: known from before; email: by the address. */
  by: z.enum(['identity', 'email']).nullable(),
  wouldMake: z.boolean(),
  /** Roles that it gives; null when the user keeps the own ones. */
  roles: z.array(named).nullable(),
  tenant: named.nullable(),
})

const nothing = {
  nameId: null,
  email: null,
  expiresAt: null,
  attributes: [],
  user: null,
  by: null,
  wouldMake: false,
  roles: null,
  tenant: null,
}

/**
 * What a response would give, without doing any of it: signature, issuer and addresses are checked as at the door; its period and the
 * request it answers are not, because it was taken down before.
 */
export async function tryResponse(ctx: Ctx, { id, response }: z.infer<typeof trialInput>): Promise<Answer> {
  requireWholeCompany(ctx)
  const services = session()
  await getRecord(ctx, samlProvider, id)
  const provider = await ctx.sql.one<Provider>(sql`
    select ${providerColumns} from saml_provider where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  const encoded = response.startsWith('<') ? Buffer.from(response, 'utf8').toString('base64') : response
  try {
    const assertion = await readResponse({
      provider: checkedOf(provider),
      own: addressesOf(services, provider.key),
      response: encoded,
      now: services.clock.now(),
      isTrial: true,
    })
    const told = {
      nameId: assertion.nameId,
      expiresAt: assertion.expiresAt.toISOString(),
      attributes: Object.entries(assertion.attributes).map(([name, values]) => ({ name, values })),
    }
    const outcome = await findMeant(ctx, provider, assertion).then((meant) => describeOutcome(ctx, provider, meant), refusalOf)
    return { data: { ...nothing, ...told, ...outcome } }
  } catch (error) {
    return { data: { ...nothing, ...refusalOf(error) } }
  }
}

function refusalOf(error: unknown): { isAccepted: false; refusal: string } {
  if (error instanceof AssertionRefused) return { isAccepted: false, refusal: error.message }
  throw error
}

async function describeOutcome(ctx: Ctx, provider: Provider, { claims, userId, by, isMade, roles }: Meant): Promise<object> {
  const [found] =
    userId === null
      ? []
      : await ctx.sql.query<{ Id: string; name: string }>(sql`
    select u."id" as "Id", ${nameOf('u')} as name from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid`)
  const [tenant] =
    userId === null
      ? await ctx.sql.query<{ Id: string; name: string }>(sql`
    select "id" as "Id", "name" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${provider.defaultTenantId ?? ctx.company.id}::uuid`)
      : []
  return {
    isAccepted: true,
    refusal: null,
    email: claims.email,
    user: found ?? null,
    by,
    wouldMake: userId === null,
    roles: isMade ? roles.map(({ id, name }) => ({ Id: id, name })) : null,
    tenant: tenant ?? null,
  }
}
