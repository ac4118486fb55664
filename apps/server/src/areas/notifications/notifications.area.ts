import { emptyAnswer } from '../../kernel/resource/answers.ts'
import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import type { Mail } from '@outpost/platform/mail'
import type { Area } from '../../kernel/types.ts'
import { declared } from '../../kernel/declared.ts'
import { commentNews, otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { mailNotificationJob } from './mail.job.ts'
import { deviceInput, endPush, history, historyAnswer, historyInput, keyAnswer, markAllRead, markRead, pushKey, readAnswer, readInput, registerPush, unread, unreadAnswer } from './notification.handlers.ts'
import { preferenceCalls } from './preferences.ts'
import { pushNotificationJob } from './push.job.ts'
import { vapidKeys } from './push.keys.ts'
import { pushSender } from './push.sender.ts'

/** The caller's notifications, and where push messages go. New ones are filed by kernel/realtime/notify.ts; the `areas` say what kinds there are. */
export function notificationsArea({ mail, env }: { mail: Mail; env: { SECRET: string; SECRETS_BEFORE: string[]; PUBLIC_URL: string } }, areas: readonly Area[]): Area {
  const own = defineArea({ name: 'notifications', notifications: [commentNews, otherNews] })
  const kinds = declared([...areas, own], 'kind of notification', ({ notifications }) => notifications)
  const wishes = preferenceCalls([...kinds.values()].toSorted((a, b) => a.order - b.order))
  const push = pushNotificationJob(pushSender({ keys: () => [vapidKeys(env.SECRET), ...env.SECRETS_BEFORE.map(vapidKeys)], subject: () => subjectOf(env.PUBLIC_URL) }))
  return defineArea({ ...own, routes: routesOf(wishes), jobs: [mailNotificationJob(mail), push] })
}

/** Whom a push service may write to about our messages: an https address or a mail address, nothing else. */
const subjectOf = (publicUrl: string) => (publicUrl.startsWith('https:') ? publicUrl : 'mailto:outpost@localhost')

const routesOf = (wishes: ReturnType<typeof preferenceCalls>) => [
  route('notifications.unread', 'GET', '/api/notification/unreadnotifications', anySession, query(noInput, unread, unreadAnswer)),
  route('notifications.history', 'GET', '/api/notification/history', anySession, query(historyInput, history, historyAnswer), { own: true, summary: 'All that was told to the caller, read and unread' }),
  route('notifications.preferences', 'GET', '/api/notification/preferences', anySession, wishes.read, { own: true }),
  route('notifications.setPreference', 'PUT', '/api/notification/preferences', anySession, wishes.set, { own: true, inPerson: true }),
  route('notifications.markAllRead', 'POST', '/api/notification/markallread', anySession, command(noInput, markAllRead, readAnswer), { inPerson: true }),
  route('notifications.markRead', 'POST', '/api/notification/markread', anySession, command(readInput, markRead, readAnswer), { own: true, inPerson: true }),
  route('push.key', 'GET', '/api/firebase/key', anySession, query(noInput, pushKey, keyAnswer), { own: true, summary: 'The public key that a browser subscribes to push messages with' }),
  route('push.end', 'DELETE', '/api/firebase/register-device', anySession, command(deviceInput, endPush, emptyAnswer), { own: true, ownTransaction: true, inPerson: true }),
  route('push.register', 'POST', '/api/firebase/register-device', anySession, command(deviceInput, registerPush, emptyAnswer), { ownTransaction: true, limit: 30, inPerson: true }),
]
