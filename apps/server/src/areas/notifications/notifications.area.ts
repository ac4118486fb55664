import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import type { Mail } from '@outpost/platform/mail'
import type { Area } from '../../kernel/types.ts'
import { declared } from '../../kernel/declared.ts'
import { commentNews, otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { mailNotificationJob } from './mail.job.ts'
import { deviceInput, history, historyAnswer, historyInput, markAllRead, markRead, readAnswer, readInput, registerPush, unread, unreadAnswer } from './notification.handlers.ts'
import { preferenceCalls } from './preferences.ts'

/** The caller's notifications, and where push messages go. New ones are filed by kernel/realtime/notify.ts; the `areas` say what kinds there are. */
export function notificationsArea({ mail }: { mail: Mail }, areas: readonly Area[]): Area {
  const own = defineArea({ name: 'notifications', notifications: [commentNews, otherNews] })
  const kinds = declared([...areas, own], 'kind of notification', ({ notifications }) => notifications)
  const wishes = preferenceCalls([...kinds.values()].toSorted((a, b) => a.order - b.order))
  return defineArea({ ...own, routes: routesOf(wishes), jobs: [mailNotificationJob(mail)] })
}

const routesOf = (wishes: ReturnType<typeof preferenceCalls>) => [
  route('notifications.unread', 'GET', '/api/notification/unreadnotifications', anySession, query(noInput, unread, unreadAnswer)),
  route('notifications.history', 'GET', '/api/notification/history', anySession, query(historyInput, history, historyAnswer), { own: true, summary: 'All that was told to the caller, read and unread' }),
  route('notifications.preferences', 'GET', '/api/notification/preferences', anySession, wishes.read, { own: true }),
  route('notifications.setPreference', 'PUT', '/api/notification/preferences', anySession, wishes.set, { own: true, inPerson: true }),
  route('notifications.markAllRead', 'POST', '/api/notification/markallread', anySession, command(noInput, markAllRead, readAnswer), { inPerson: true }),
  route('notifications.markRead', 'POST', '/api/notification/markread', anySession, command(readInput, markRead, readAnswer), { own: true, inPerson: true }),
  route('push.register', 'POST', '/api/firebase/register-device', anySession, command(deviceInput, registerPush), { ownTransaction: true, limit: 30, inPerson: true }),
]
