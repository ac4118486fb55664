import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import { deviceInput, markAllRead, markRead, readInput, registerPush, unread } from './notification.handlers.ts'

/** What was told to the caller, and where push messages go. New ones are filed by kernel/realtime/notify.ts. */
export const notificationsArea = defineArea({
  name: 'notifications',
  routes: [
    route('notifications.unread', 'GET', '/api/notification/unreadnotifications', anySession, query(noInput, unread)),
    route('notifications.markAllRead', 'POST', '/api/notification/markallread', anySession, command(noInput, markAllRead), { inPerson: true }),
    route('notifications.markRead', 'POST', '/api/notification/markread', anySession, command(readInput, markRead), { own: true, inPerson: true }),
    route('push.register', 'POST', '/api/firebase/register-device', anySession, command(deviceInput, registerPush), { ownTransaction: true, limit: 30, inPerson: true }),
  ],
})
