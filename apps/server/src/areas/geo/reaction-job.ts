import type { Mail } from '@outpost/platform/mail'
import { maxFailures } from '@outpost/platform/outbox'
import type { GeoClient } from '../../kernel/geo-client/client.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { eventMessage, type EventMessage, type Place } from './event-words.ts'
import { fleetNews } from './fleet.news.ts'
import { noteReaction, readReaction, type Reaction, type ReactionParameters } from './reaction.ts'
import { recipientsOf } from './recipients.ts'

export interface ReactionParts {
  mail: Mail
  client: GeoClient
  /** Domain of a mail-to-SMS gateway; without one no SMS goes out. */
  smsDomain: string | undefined
}

interface Work extends ReactionParts {
  ctx: Ctx
  reaction: Reaction
  to: ReactionParameters
  words: EventMessage
}

const tooLate = 15 * 60_000

/**
 * Tells those whom a rule of the geo service names that something happened: in the console, by mail or SMS. The reaction
 * says whether it still waits, so that a second try does nothing twice, and learns what became of it.
 */
export function reactionJob(parts: ReactionParts): JobDefinition<{ reactionId: string }> {
  return {
    name: 'geo.reaction',
    ownTransaction: true,
    run: async (ctx, { reactionId }) => {
      const reaction = await readReaction(ctx, reactionId)
      if (reaction?.state !== 'waiting') return
      const silence = silenceOf(reaction, Date.now())
      if (silence !== undefined) return void (await noteReaction(ctx, reaction, { ...reaction, state: 'silent', result: silence }))
      const to = addressees(reaction)
      const words = eventMessage(reaction, { place: await placeOf(ctx, parts.client, reaction), wording: await wordingFor(ctx.company) })
      await ways[reaction.type]({ ...parts, ctx, reaction, to, words })
    },
    whenDead: async (ctx, { reactionId }, { lastError }) => {
      const reaction = await readReaction(ctx, reactionId)
      if (reaction?.state === 'waiting') await noteReaction(ctx, reaction, { ...reaction, state: 'failed', result: lastError })
    },
  }
}

/** Why nobody is notified any more; undefined when somebody is. */
function silenceOf({ event, isWanted, level, attempts, dueAt }: Reaction, now: number): string | undefined {
  if (event.isSuperseded) return 'It turned out not to have happened.'
  if (!isWanted) return 'The action was switched off or removed.'
  if (level > 1 && event.isAcknowledged) return 'Acknowledged in time.'
  // Tries that failed are about the way, not about the event.
  if (attempts > 0) return undefined
  return now - Date.parse(level > 1 ? dueAt : event.time) > tooLate ? 'More than 15 minutes had passed.' : undefined
}

function addressees({ level, parameters: { to, ...own }, type }: Reaction): ReactionParameters {
  if (level > 1)
    return { ...own.escalateTo, ...(own.subject ? { subject: own.subject } : {}), ...(own.message ? { message: own.message } : {}) }
  return { ...own, ...(type === 'email' ? { emails: to ?? [] } : {}), ...(type === 'sms' ? { phones: to ?? [] } : {}) }
}

/** The place in words; undefined while the geo service does not answer: nobody waits for a name. */
async function placeOf(ctx: Ctx, client: GeoClient, { event: { latitude, longitude } }: Reaction): Promise<Place | undefined> {
  if (latitude === null || longitude === null) return undefined
  try {
    const answer = await client.call(ctx, { method: 'GET', segments: ['geocoding', 'position', `${latitude},${longitude}`] })
    return (JSON.parse(answer) as { data: Place }).data
  } catch {
    return undefined
  }
}

const spoken = ({ words, to }: Work) => (to.message ? `${to.message}: ${words.sentence}` : words.sentence)

const ways: Record<Reaction['type'], (work: Work) => Promise<void>> = { notify: notifyPeople, email: sendMails, sms: sendSms }

/** Notifications and the note that they were made commit together. */
async function notifyPeople(work: Work): Promise<void> {
  const { reaction, to, ctx } = work
  await ctx.transaction(async (inner) => {
    const people = await recipientsOf(inner, to, reaction)
    const outcome =
      people.length === 0
        ? { state: 'failed' as const, result: 'None of those named works where the device belongs.' }
        : { state: 'done' as const, result: `Told ${people.length === 1 ? 'one person' : `${people.length} people`}.` }
    if (!(await noteReaction(inner, reaction, { ...reaction, ...outcome, attempts: reaction.attempts + 1 }))) return
    const link = `/tracking/notifications?event=${reaction.event.id}`
    for (const userId of people)
      await notify(inner, { userId, itemType: 'Message', kind: fleetNews, itemId: reaction.event.id, message: spoken(work), link })
  })
}

async function sendMails(work: Work): Promise<void> {
  const { words, to, ctx } = work
  const text = [...(to.message ? [to.message, ''] : []), words.sentence, '', ...words.lines].join('\n')
  await sendEach(work, to.emails ?? [], (address) => ({
    to: address,
    subject: to.subject ?? `${ctx.company.name}: ${words.sentence}`.slice(0, 200),
    text,
  }))
}

async function sendSms(work: Work): Promise<void> {
  const { smsDomain, to, ctx, reaction } = work
  if (smsDomain === undefined) {
    return void (await noteReaction(ctx, reaction, {
      ...reaction,
      state: 'failed',
      result: 'SMS is not configured on this installation (SMS_MAIL_DOMAIN).',
      attempts: reaction.attempts + 1,
    }))
  }
  const text = spoken(work).slice(0, 480)
  await sendEach(work, to.phones ?? [], (phone) => ({ to: `${phone}@${smsDomain}`, subject: ctx.company.name, text }))
}

/** Sends to each address by itself. Who was reached is written down at once, so that another try goes to the others only. */
async function sendEach(
  { ctx, reaction, mail }: Work,
  addresses: readonly string[],
  letterTo: (address: string) => { to: string; subject: string; text: string },
): Promise<void> {
  const attempts = reaction.attempts + 1
  const reached = [...reaction.reached]
  const failures: Error[] = []
  for (const [index, address] of addresses.entries()) {
    if (reached.includes(address)) continue
    try {
      await mail.send({ ...letterTo(address), idempotencyKey: `${reaction.id}-${index}` })
      reached.push(address)
      await noteReaction(ctx, reaction, { state: 'waiting', result: 'On its way.', attempts: reaction.attempts, reached })
    } catch (error) {
      failures.push(error as Error)
    }
  }
  const [failure] = failures
  const sent = `Sent to ${reached.length} of ${addresses.length}.`
  if (!failure) return void (await noteReaction(ctx, reaction, { state: 'done', result: sent, attempts, reached }))
  await noteReaction(ctx, reaction, {
    state: attempts >= maxFailures ? 'failed' : 'waiting',
    result: `${sent} ${failure.message}`,
    attempts,
    reached,
  })
  throw failure
}
