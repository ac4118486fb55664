import { callOf } from '../../../data/calls.ts'
import { tile, type HomeWidget } from '../tile.ts'

const screen = '/admin/users/list'

/** Of accounts, for administrators. */
export const userWidgets: readonly HomeWidget[] = [
  tile('users-active', 'Active users', screen),
  tile('users-seen', 'Users signed in', screen),
  tile('users-never', 'Users who never signed in', screen),
  tile('users-new', 'New users', screen),
  {
    id: 'users-logins',
    title: 'Sign-ins a day',
    period: 'Last 30 days',
    draw: 'line',
    source: callOf('users.loginHistory'),
    value: 'loginHistory',
    labelKey: 'date',
    valueKey: 'logins',
    span: 12,
    needs: screen,
  },
]
