import { Failure } from '@outpost/contract/errors'
import { mayAccess } from '@outpost/rules/people/permission'
import { may } from '../../kernel/area.ts'
import { readText } from '../../kernel/resource/write.ts'
import { makeJobCtx } from '../../kernel/session/jobs.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx, RequestInfo } from '../../kernel/types.ts'
import type { Claimed } from './claim.ts'
import type { Offer, Offers } from './events.ts'

/** Event of a message that says nothing: it shows that the other system hears and checks the signature. */
export const testEvent = 'webhook.test'

export type Message = { body: string } | { skipped: string } | { stop: string }

const notSeen = { skipped: 'The owner may not see the record' }
const notAllowed = { stop: 'Its owner may not work here any more' }

/** What is sent of a delivery: the record as its owner may read it at this moment, by the call that shows it. */
export async function messageOf(ctx: Ctx, claimed: Claimed, offers: Offers): Promise<Message> {
  const owner = await ownerOf(ctx, claimed)
  if (!owner || !mayAccess(owner, may('ADMIN/API'))) return notAllowed
  if (claimed.event === testEvent) return { body: bodyOf(ctx, claimed, null) }
  const offer = offers.get(claimed.event)
  if (!offer || !mayAccess(owner, offer.route.access)) return notSeen
  if (offer.kind === 'removed') return (await couldSee(owner, offer, claimed)) ? { body: bodyOf(ctx, claimed, null) } : notSeen
  const record = await readAs(owner, offer, claimed.objectId)
  return record ? { body: bodyOf(ctx, claimed, record) } : notSeen
}

function bodyOf({ company }: Ctx, { id, event, dateCreated, objectId, move }: Claimed, record: unknown): string {
  const time = dateCreated.toISOString()
  return JSON.stringify({ id, event, time, company: { Id: company.id, name: company.name }, recordId: objectId, move, record })
}

async function ownerOf(ctx: Ctx, { ownerUserId: userId, worksInTenantId: tenantId }: Claimed): Promise<Ctx | undefined> {
  try {
    const owner = await makeJobCtx(session(), { companyId: ctx.company.id, userId, tenantId })
    return owner.tenant.id === tenantId ? owner : undefined
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** No call that shows a record looks at these. */
const noFacts = (log: RequestInfo['log']): RequestInfo =>
  ({ ip: '', userAgent: '', origin: undefined, host: '', cookies: {}, headers: {}, query: '', log }) as unknown as RequestInfo

async function readAs(owner: Ctx, { route: { operation }, resource }: Offer, id: string): Promise<unknown> {
  try {
    const answer = await operation.run(owner, operation.input.parse({ id }), noFacts(owner.log))
    const data =
      'json' in answer ? (JSON.parse(answer.json) as { data: Record<string, unknown> }).data : 'data' in answer ? answer.data : {}
    return data[resource.one]
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Whether the owner saw the record before it was removed. What left no row behind is judged by where it was filed. */
async function couldSee(owner: Ctx, { resource }: Offer, { objectId, tenantIds }: Claimed): Promise<boolean> {
  if (resource.isSoftDeleted) return (await readText(owner, resource, objectId, 'all')) !== ''
  if (resource.visible?.(owner)) return false
  const { scope } = owner
  return scope === '*' || !resource.isScoped || tenantIds.some((id) => scope.includes(id))
}
