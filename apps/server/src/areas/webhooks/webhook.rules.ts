import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { privateAddressMessage, type Outgoing } from '@outpost/platform/outgoing'
import { mayAccess } from '@outpost/rules/people/permission'
import { countInCompany } from '../../kernel/quota.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import type { Offers } from './events.ts'
import { makeSecret, sealSecret } from './secret.ts'

type Row = ModelRow<'webhook'>
const maxWebhooks = 50

export interface WebhookFacts {
  offers: Offers
  outgoing: Pick<Outgoing, 'refuses'>
  /** Hosts that may be inside, and spoken to without TLS. */
  hosts: readonly string[]
}

/** Last look at a webhook: an address outside, events of records that the caller may see. Who saves it is its owner from now on. */
export async function prepareWebhook(facts: WebhookFacts, ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  const { url = '', events = [] } = { ...before, ...input }
  const wrong = wrongUrl(facts, url)
  if (wrong) fail('INVALID', { fields: [{ field: 'url', message: wrong }] })
  refuseEvents(ctx, facts.offers, events)
  const owner = { ownerUserId: ctx.user.id, worksInTenantId: ctx.tenant.id }
  if (kind === 'update') return owner
  await refuseTooMany(ctx)
  return { ...owner, secret: sealSecret(id, makeSecret()) }
}

function refuseEvents(ctx: Ctx, offers: Offers, events: readonly string[]): void {
  if (events.length === 0) fail('INVALID', { fields: [{ field: 'events', message: 'at least one is required' }] })
  const closed = events.filter((event) => {
    const offer = offers.get(event)
    return !offer || !mayAccess(ctx, offer.route.access)
  })
  if (closed.length > 0)
    fail('INVALID', { fields: [{ field: 'events', message: `${closed.slice(0, 5).join(', ')}: you may not see these records` }] })
}

/** What is wrong with an address, in words. */
function wrongUrl({ outgoing, hosts }: WebhookFacts, text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not an address like https://example.com/hooks'
  const url = new URL(text)
  const isOwn = hosts.includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn)) return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a name or a password'
  const isInside = outgoing.refuses(text) || /(?:^|\.)(?:localhost|local|internal)\.?$/.test(url.hostname)
  return isInside && !isOwn ? privateAddressMessage : undefined
}

async function refuseTooMany(ctx: Ctx): Promise<void> {
  const count = await countInCompany(ctx, 'webhook')
  if (count >= maxWebhooks) fail('QUOTA_REACHED', { message: `A company has ${maxWebhooks} webhooks at most. Delete one first.` })
}
