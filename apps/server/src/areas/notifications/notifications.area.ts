import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import type { Mail } from '@outpost/platform/mail'
import type { Area } from '../../kernel/types.ts'
import { mailNotificationJob } from './mail.job.ts'
import { deviceInput, history, historyInput, markAllRead, markRead, readInput, registerPush, unread } from './notification.handlers.ts'
import { preferenceInput, preferences, setPreference } from './preferences.ts'

/** What was told to the caller, and where push messages go. New ones are filed by kernel/realtime/notify.ts. */
export const notificationsArea = ({ mail }: { mail: Mail }): Area => defineArea({
  name: 'notifications',
  routes: [
    route('notifications.unread', 'GET', '/api/notification/unreadnotifications', anySession, query(noInput, unread)),
    route('notifications.history', 'GET', '/api/notification/history', anySession, query(historyInput, history), { own: true, summary: 'All that was told to the caller, read and unread' }),
    route('notifications.preferences', 'GET', '/api/notification/preferences', anySession, query(noInput, preferences), { own: true }),
    route('notifications.setPreference', 'PUT', '/api/notification/preferences', anySession, command(preferenceInput, setPreference), { own: true, inPerson: true }),
    route('notifications.markAllRead', 'POST', '/api/notification/markallread', anySession, command(noInput, markAllRead), { inPerson: true }),
    route('notifications.markRead', 'POST', '/api/notification/markread', anySession, command(readInput, markRead), { own: true, inPerson: true }),
    route('push.register', 'POST', '/api/firebase/register-device', anySession, command(deviceInput, registerPush), { ownTransaction: true, limit: 30, inPerson: true }),
  ],
  jobs: [mailNotificationJob(mail)],
})
