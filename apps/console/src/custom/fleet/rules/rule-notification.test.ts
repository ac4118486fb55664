import { expect, test } from 'vitest'
import { escalationOf, isWhole, noEscalation, reactionWrites, notifiesSomebody, type StoredReaction } from './rule-notification.ts'

const words = { notify: 'Rule: told here', email: 'Rule: mail' }
const after = { ...noEscalation, roles: ['Dispatcher'], emails: ['duty@x.test'] }
const told: StoredReaction = { id: 'r1', name: 'Told', actionType: 'notify', parameters: { userIds: ['u1'] }, version: 3 }
const escalating: StoredReaction = {
  ...told,
  id: 'r2',
  parameters: { userIds: ['u1'], escalateAfterS: 600, escalateTo: { roles: ['Dispatcher'], phones: ['+254700000000'] } },
}

test('the first of new reactions alone carries the escalation', () => {
  const { create, update } = reactionWrites({ me: true, emails: ['a@x.test'], escalation: after }, { me: 'u1', reactions: [], words })
  expect(create).toEqual([
    {
      name: words.notify,
      actionType: 'notify',
      parameters: { userIds: ['u1'], escalateAfterS: 600, escalateTo: { roles: ['Dispatcher'], emails: ['duty@x.test'] } },
    },
    { name: words.email, actionType: 'email', parameters: { to: ['a@x.test'] } },
  ])
  expect(update).toEqual([])
})

test('a reaction that is there is changed, and keeps the recipients that the form does not show', () => {
  const writes = (escalation: typeof after | null, reactions = [told, escalating]) =>
    reactionWrites({ me: false, emails: [], escalation }, { me: 'u1', reactions, words })
  expect(writes({ ...after, afterMinutes: 5, emails: [] }).update).toEqual([
    {
      id: 'r2',
      version: 3,
      parameters: { userIds: ['u1'], escalateAfterS: 300, escalateTo: { roles: ['Dispatcher'], phones: ['+254700000000'] } },
    },
  ])
  expect(writes(null).update).toEqual([{ id: 'r2', version: 3, parameters: { userIds: ['u1'] } }])
  expect(writes(escalationOf([told, escalating])).update).toEqual([])
  expect(writes(null, [told]).update).toEqual([])
  expect(writes(after, [told]).update).toMatchObject([{ id: 'r1', parameters: { escalateAfterS: 600 } }])
})

test('nobody is told further before somebody is told, and it names somebody', () => {
  const command: StoredReaction = { ...told, actionType: 'command', parameters: {} }
  expect(notifiesSomebody({ me: false, emails: [], escalation: null }, [command])).toBe(false)
  expect(notifiesSomebody({ me: false, emails: [], escalation: null }, [told])).toBe(true)
  expect(isWhole({ me: true, emails: [], escalation: noEscalation }, [])).toBe(false)
  expect(isWhole({ me: true, emails: [], escalation: noEscalation }, [escalating])).toBe(true)
  expect(isWhole({ me: true, emails: [], escalation: after }, [])).toBe(true)
})
