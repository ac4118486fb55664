import { commandNames, commandTypeOf } from '@outpost/contract/geo/commands'
import type { CallData } from '../../../data/calls.ts'
import { emptyParameters, isWholeCommand, parameterDraftOf, parametersOf, type ParameterDraft } from '../commands/Parameters.tsx'
import { escalationOf, isWhole, withEscalation, type Escalation, type StoredReaction } from './rule-notification.ts'

type Stored = CallData<'eventActions.get'>['eventAction']

/** What may follow when a rule matches. */
export const reactionKinds = ['notify', 'email', 'sms', 'webhook', 'command'] as const
export type ReactionKind = (typeof reactionKinds)[number]

/** A reaction as its form holds it: the fields of all kinds, of which one is sent. */
export interface ReactionDraft {
  name: string
  eventIoId: string | null
  tenantId: string | null
  kind: ReactionKind
  isActive: boolean
  userIds: string[]
  roles: string[]
  teamIds: string[]
  emails: string[]
  phones: string[]
  subject: string
  message: string
  url: string
  /** Empty: none, or the one that is stored. */
  secret: string
  commandType: string
  command: ParameterDraft
  escalation: Escalation | null
}
export const emptyReaction: ReactionDraft = {
  name: '',
  eventIoId: null,
  tenantId: null,
  kind: 'notify',
  isActive: true,
  userIds: [],
  roles: [],
  teamIds: [],
  emails: [],
  phones: [],
  subject: '',
  message: '',
  url: '',
  secret: '',
  commandType: 'positionSingle',
  command: emptyParameters,
  escalation: null,
}

/** No rule stops a vehicle. */
export const commandsOfRules = commandNames.filter((name) => commandTypeOf(name)?.mayStop !== true)

export function reactionDraftOf(stored: Stored): ReactionDraft {
  const { name, eventIoId, tenantId, isActive, parameters } = stored
  const kind = reactionKinds.find((one) => one === stored.actionType) ?? 'notify'
  const { userIds, roles, teamIds, to = [], subject, message, url, commandType } = parameters
  return {
    ...emptyReaction,
    name,
    eventIoId,
    tenantId,
    kind,
    isActive,
    userIds: userIds ?? [],
    roles: roles ?? [],
    teamIds: teamIds ?? [],
    emails: kind === 'email' ? to : [],
    phones: kind === 'sms' ? to : [],
    subject: subject ?? '',
    message: message ?? '',
    url: url ?? '',
    commandType: commandType ?? emptyReaction.commandType,
    command: parameterDraftOf(parameters.parameters ?? {}),
    escalation: escalationOf([asReaction(stored)]),
  }
}

/** As rules know their reactions. */
export const asReaction = ({ Id, name, actionType, parameters }: Stored): StoredReaction => ({ id: Id, name, actionType, parameters })

/** Without texts and lists that say nothing. */
const filled = <Given extends Record<string, string | string[]>>(given: Given): Partial<Given> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0)) as Partial<Given>

/** Parameters of this kind of reaction, without the escalation. */
function ownParameters(draft: ReactionDraft): StoredReaction['parameters'] & { secret?: string } {
  const { userIds, roles, teamIds, emails, phones } = draft
  const [subject, message, url, secret] = [draft.subject.trim(), draft.message.trim(), draft.url.trim(), draft.secret.trim()]
  switch (draft.kind) {
    case 'notify':
      return filled({ userIds, roles, teamIds, message })
    case 'email':
      return { to: emails, ...filled({ subject, message }) }
    case 'sms':
      return { to: phones, ...filled({ message }) }
    case 'webhook':
      return { url, ...filled({ secret }) }
    case 'command': {
      const parameters = parametersOf(draft.commandType, draft.command)
      return { commandType: draft.commandType, ...(Object.keys(parameters).length > 0 ? { parameters } : {}) }
    }
  }
}

/** What the call takes. Recipients of an escalation that the form does not show are kept. */
export function reactionBody(draft: ReactionDraft, stored?: Stored) {
  const { name, eventIoId, tenantId, kind, isActive, escalation } = draft
  const { escalateTo } = stored?.parameters ?? {}
  const own = { ...ownParameters(draft), ...(escalateTo ? { escalateTo } : {}) }
  return {
    name: name.trim(),
    eventIoId,
    actionType: kind,
    parameters: kind === 'command' ? ownParameters(draft) : withEscalation(own, escalation),
    isActive,
    ...(tenantId === null ? {} : { tenantId }),
  }
}

/** Names somebody, or something, that it reaches. */
export function isWholeReaction(draft: ReactionDraft, stored?: Stored): boolean {
  const { kind, userIds, roles, teamIds, emails, phones, url, commandType, command } = draft
  const reaches = {
    notify: userIds.length + roles.length + teamIds.length > 0,
    email: emails.length > 0,
    sms: phones.length > 0,
    webhook: url.trim() !== '',
    command: isWholeCommand(commandType, command),
  }
  const isEscalationWhole =
    kind === 'command' || isWhole({ me: false, emails: [], escalation: draft.escalation }, stored ? [asReaction(stored)] : [])
  return draft.name.trim() !== '' && reaches[kind] && isEscalationWhole
}
