import type { CallData } from '../../../data/calls.ts'

/** Who is told further, when nobody took note in time. */
export interface Escalation {
  afterMinutes: number
  userIds: string[]
  roles: string[]
  emails: string[]
}
export interface RuleNotification {
  me: boolean
  emails: string[]
  escalation: Escalation | null
}
type Reaction = CallData<'eventActions.ofRule'>['eventActions'][number]
export type StoredReaction = Pick<Reaction, 'id' | 'name' | 'actionType' | 'parameters'> & { version?: number }
export const noEscalation: Escalation = { afterMinutes: 10, userIds: [], roles: [], emails: [] }

/** What the stored reactions say about escalating; null where they say nothing. */
export function escalationOf(reactions: readonly StoredReaction[]): Escalation | null {
  const { escalateAfterS, escalateTo = {} } = reactions.find(isEscalating)?.parameters ?? {}
  if (escalateAfterS === undefined) return null
  const { userIds = [], roles = [], emails = [] } = escalateTo
  return { afterMinutes: escalateAfterS / 60, userIds, roles, emails }
}

const isEscalating = ({ parameters }: StoredReaction) => parameters.escalateAfterS !== undefined
/** Reactions that tell people can pass it on; a command is decided by people anyway. */
const mayEscalate = ({ actionType }: StoredReaction) => actionType !== 'command'

export interface NewReaction {
  name: string
  actionType: string
  parameters: StoredReaction['parameters']
}
export interface ReactionWrites {
  create: NewReaction[]
  update: Pick<StoredReaction, 'id' | 'parameters' | 'version'>[]
}

/** Can somebody be told further? Only after somebody was told at first. */
export const notifiesSomebody = ({ me, emails }: RuleNotification, reactions: readonly StoredReaction[]): boolean =>
  me || emails.length > 0 || reactions.some(mayEscalate)

/** Names somebody, where it is on. */
export const isWhole = ({ escalation }: RuleNotification, reactions: readonly StoredReaction[]): boolean =>
  escalation === null || [...escalation.userIds, ...escalation.roles, ...escalation.emails, ...hidden(reactions)].length > 0

const hidden = (reactions: readonly StoredReaction[]) => {
  const { teamIds = [], phones = [] } = reactions.find(isEscalating)?.parameters.escalateTo ?? {}
  return [...teamIds, ...phones]
}

/**
 * What is written to the rule's reactions. One reaction alone carries the escalation, so that nobody is told twice: the one that does
 * already, else the first that tells people. Recipients that the form does not show are kept.
 */
export function reactionWrites(
  notification: RuleNotification,
  { me, reactions, words }: { me: string | undefined; reactions: readonly StoredReaction[]; words: { notify: string; email: string } },
): ReactionWrites {
  const create: NewReaction[] = [
    ...(notification.me && me !== undefined ? [{ name: words.notify, actionType: 'notify', parameters: { userIds: [me] } }] : []),
    ...(notification.emails.length > 0 ? [{ name: words.email, actionType: 'email', parameters: { to: notification.emails } }] : []),
  ]
  const carrier = reactions.find(isEscalating) ?? reactions.find(mayEscalate)
  const carried = withEscalation(carrier?.parameters ?? {}, notification.escalation)
  if (!carrier) {
    const [first, ...others] = create
    return {
      create: first ? [{ ...first, parameters: withEscalation(first.parameters, notification.escalation) }, ...others] : [],
      update: [],
    }
  }
  const { id, version, parameters } = carrier
  const isSame = JSON.stringify(carried) === JSON.stringify(withEscalation(parameters, escalationOf([carrier])))
  return { create, update: isSame ? [] : [{ id, parameters: carried, ...(version === undefined ? {} : { version }) }] }
}

/** Parameters of a reaction with, or without, others who are told later; recipients that the form does not show are kept. */
export function withEscalation(
  { escalateAfterS: _, escalateTo: before = {}, ...own }: StoredReaction['parameters'],
  escalation: Escalation | null,
): StoredReaction['parameters'] {
  if (!escalation) return own
  const { afterMinutes, ...to } = escalation
  const { teamIds = [], phones = [] } = before
  const named = Object.fromEntries(Object.entries({ ...to, teamIds, phones }).filter(([, list]) => list.length > 0))
  return { ...own, escalateAfterS: Math.round(afterMinutes * 60), escalateTo: named }
}
