import { expect, test } from 'vitest'
import { ApiError } from '../../../data/api.ts'
import { problemsOf } from './problems.ts'
import { commandsOfRules, emptyReaction, isWholeReaction, reactionBody, reactionDraftOf } from './reaction.ts'

type Stored = Parameters<typeof reactionDraftOf>[0]
const stored = (actionType: string, parameters: Stored['parameters']): Stored => ({
  Id: '8a1f0f5e-0000-4000-8000-000000000001',
  name: 'Kept',
  eventIoId: '8a1f0f5e-0000-4000-8000-000000000002',
  eventIo: 'Rule',
  tenantId: '8a1f0f5e-0000-4000-8000-000000000003',
  tenantIdLabel: 'Head office',
  actionType,
  parameters,
  hasSecret: false,
  isActive: true,
  dateCreated: '2026-11-25T08:00:00.000Z',
  version: 2,
})
const person = '8a1f0f5e-0000-4000-8000-000000000004'

test('every kind of reaction goes into the form and out again as it was', () => {
  const kinds: [string, Stored['parameters']][] = [
    ['notify', { userIds: [person], roles: ['Dispatcher'], teamIds: [person], message: 'Look' }],
    ['notify', { roles: ['Dispatcher'], escalateAfterS: 600, escalateTo: { emails: ['duty@x.test'], phones: ['+254700000000'] } }],
    ['email', { to: ['a@x.test'], subject: 'Alarm', message: 'Look' }],
    ['sms', { to: ['+254712345678'] }],
    ['webhook', { url: 'https://example.com/hook' }],
    ['command', { commandType: 'positionPeriodic', parameters: { frequency: 30 } }],
    ['command', { commandType: 'rebootDevice' }],
  ]
  for (const [kind, parameters] of kinds) {
    const given = stored(kind, parameters)
    const draft = reactionDraftOf(given)
    expect([kind, isWholeReaction(draft, given)]).toEqual([kind, true])
    expect(reactionBody(draft, given)).toEqual({
      name: 'Kept',
      eventIoId: given.eventIoId,
      tenantId: given.tenantId,
      actionType: kind,
      parameters,
      isActive: true,
    })
  }
})

test('a kind sends its own fields alone, and needs whom it reaches', () => {
  const draft = {
    ...emptyReaction,
    name: 'Tell',
    emails: ['a@x.test'],
    message: ' ',
    secret: 'a secret of sixteen',
    url: ' https://x.test ',
  }
  expect(isWholeReaction(draft)).toBe(false)
  expect(reactionBody({ ...draft, kind: 'email' }).parameters).toEqual({ to: ['a@x.test'] })
  expect(reactionBody({ ...draft, kind: 'webhook' }).parameters).toEqual({ url: 'https://x.test', secret: 'a secret of sixteen' })
  expect(isWholeReaction({ ...draft, kind: 'command', commandType: 'custom' })).toBe(false)
  expect(commandsOfRules).not.toContain('engineStop')
})

test('what a refusal names is shown at its part; a part that no field shows is said as a whole', () => {
  const error = new ApiError({
    status: 422,
    code: 'INVALID',
    message: 'Wrong',
    fields: [{ field: 'parameters.to.0', message: 'is not an e-mail address' }],
  })
  const { problemAt, isShown } = problemsOf(error, ['parameters'])
  expect([problemAt('parameters.to'), problemAt('parameters.t'), isShown]).toEqual(['is not an e-mail address', undefined, true])
  expect(problemsOf(error, ['name']).isShown).toBe(false)
  expect(problemsOf(new Error('x'), ['name'])).toMatchObject({ isShown: false })
})
