/** One thing that a tour shows: where it is on the screen, and what one does with it. */
export interface TourStep {
  /** Selector; a step whose element is not on the screen (no right, small window) is left out. */
  element: string
  title: string
  text: string
}

/** A tour of one screen. A new version is shown to everybody once more. */
export interface Tour {
  name: string
  version: number
  title: string
  /** Paths of the screens it belongs to, with :params; it is begun at the first. */
  paths: readonly [string, ...string[]]
  /** Where the way to it begins, of a screen that shows one record. */
  from?: { path: string; hint: string }
  steps: readonly TourStep[]
}

/** All tours, each shown at the first visit of its screen. */
export const tours: readonly Tour[] = [
  {
    name: 'home',
    version: 1,
    title: 'Your dashboard',
    paths: ['/', '/agents/dashboard'],
    steps: [
      {
        element: '.o-menu',
        title: 'The menu',
        text: 'Everything your role may open. The button at the top left makes it narrow or wide.',
      },
      { element: '.o-search', title: 'Search', text: 'Screens, records and actions in one box. Ctrl K opens it from anywhere.' },
      {
        element: '.hw-board',
        title: 'Your figures',
        text: 'Each tile counts records you may see. A click opens the list behind the number.',
      },
      { element: '.view-header-actions', title: 'Arrange', text: 'Add, move and remove tiles. The arrangement is yours alone.' },
      { element: '.o-top-right', title: 'You and your work', text: 'Where you work, whether you are online, your news and your profile.' },
    ],
  },
  {
    name: 'my-work',
    version: 1,
    title: 'My Work',
    paths: ['/agents/landingpage'],
    steps: [
      {
        element: '.mw-day',
        title: 'Your day',
        text: 'Start it when you begin and stop it when you are done. It works without a connection too.',
      },
      {
        element: '.mw-actions',
        title: 'Capture',
        text: 'A new lead takes a minute, wherever you are. It is sent as soon as there is a connection.',
      },
      { element: '.mw-progress', title: 'Your progress', text: 'What is done, late and waiting today.' },
      { element: '.mw-next', title: 'Next stop', text: 'Where you go next, how far it is, and a way to call.' },
      {
        element: '.mw-columns',
        title: 'Your list',
        text: 'Visits of today and what is overdue, then news and people who wait for your call.',
      },
      {
        element: '.o-top-button[data-state=good], .o-top-button[data-state=bad]',
        title: 'The connection',
        text: 'Green: online. The number counts changes that wait to be sent; a click shows them.',
      },
    ],
  },
  {
    name: 'leads',
    version: 1,
    title: 'Leads',
    paths: ['/sales/leads'],
    steps: [
      { element: '.list-views', title: 'Views', text: 'Keep filters and columns you use often as a view, and share it with colleagues.' },
      { element: '.list-toolbar', title: 'Search and filter', text: 'Type a name or number, choose dates, or add a filter for any field.' },
      { element: '.list-layouts', title: 'Table, board or map', text: 'The same leads as rows, as cards by status, or as places.' },
      {
        element: '.list-body',
        title: 'The list',
        text: 'A click opens the lead. Arrow keys walk through the rows; select several to change them together.',
      },
      { element: '.view-header-actions', title: 'New and export', text: 'Capture a lead, or take the list with you as a file.' },
    ],
  },
  {
    name: 'lead-form',
    version: 1,
    title: 'Capturing a lead',
    paths: ['/sales/leads/create'],
    steps: [
      { element: '.form-card', title: 'Who it is', text: 'Only fields with a star are needed. Write names as the identity document does.' },
      {
        element: '.form-card + .form-card',
        title: 'How to reach them',
        text: 'Phone and e-mail are compared with existing leads at once, so that nobody is captured twice.',
      },
      {
        element: '.form-footer',
        title: 'Save',
        text: 'Ctrl S saves. Without a connection the lead stays on this device and is sent later.',
      },
    ],
  },
  {
    name: 'activity-form',
    version: 1,
    title: 'A new activity',
    paths: ['/sales/activities/create'],
    steps: [
      {
        element: '.ant-form-item:has(label[for=activityTypeId])',
        title: 'What it is',
        text: 'The type says how long it takes and how near one must be. Only fields with a star are needed.',
      },
      {
        element: '.ant-form-item:has(label[for=startDate])',
        title: 'When',
        text: 'A new one begins at the next full hour. A series repeats it on the days you choose.',
      },
      { element: '.ant-form-item:has(label[for=assignedUsers])', title: 'Who goes', text: 'Nobody chosen: it is yours.' },
      {
        element: '.ant-form-item:has(label[for=leads])',
        title: 'For whom',
        text: 'Leads that are on this device can be found without a connection too.',
      },
      {
        element: '.ant-form-item:has(label[for=location])',
        title: 'Where',
        text: 'Type the place, or take your own position. Left empty, it is the place of your branch.',
      },
      {
        element: '.form-footer',
        title: 'Save',
        text: 'Ctrl S saves. Without a connection the activity stays on this device, is in your list at once, and is sent later.',
      },
    ],
  },
  {
    name: 'route',
    version: 1,
    title: 'The route of the day',
    paths: ['/sales/activities/activity-plan/:id/map-view'],
    from: { path: '/sales/activities/activity-plan', hint: 'The tour begins when you open the map of a route plan.' },
    steps: [
      {
        element: '.rd-choose',
        title: 'Whose route, which day',
        text: 'A plan may have several agents and days; yours and today come first.',
      },
      { element: '.rd-progress', title: 'Progress', text: 'How many stops of the day are closed, and how many are open.' },
      {
        element: '.rd-next',
        title: 'The next stop',
        text: 'When you are expected there, a way to call, and directions in the map of your phone. Open it to start and end the visit.',
      },
      { element: '.rd-list', title: 'All stops', text: 'In their order, with times and ways. Closed ones keep their mark.' },
      { element: '.rd-map', title: 'The way', text: 'The map is on this device: it opens without a connection too.' },
    ],
  },
  {
    name: 'unsent-work',
    version: 1,
    title: 'Unsent work',
    paths: ['/offline/attention'],
    steps: [
      {
        element: '.na-head',
        title: 'What waits',
        text: 'How many changes are still on this device only, and when the last ones were sent. They survive a restart.',
      },
      {
        element: '.na-buttons',
        title: 'Send now, or keep a copy',
        text: 'It is sent by itself when there is a connection. Sync now does not wait; Export writes what is unsent into a file.',
      },
      {
        element: '.na-list > li',
        title: 'What was refused',
        text: 'Each card says what you changed and why it was not taken. Correct it and send it again, or give it up.',
      },
    ],
  },
  {
    name: 'calendar',
    version: 1,
    title: 'The calendar of activities',
    paths: ['/sales/activities/calendar'],
    steps: [
      {
        element: '.view-header-actions',
        title: 'Days and views',
        text: 'Go back and forth, and choose month, week, day, agenda or agents side by side.',
      },
      { element: '.cal-filters', title: 'Whose activities', text: 'Your own or everyone’s, by status, type and agent.' },
      {
        element: '.cal-grid',
        title: 'Plan here',
        text: 'Draw a time to plan an activity; drag one to move it. The agenda does the same by keyboard.',
      },
    ],
  },
  {
    name: 'planner',
    version: 1,
    title: 'The route planner',
    paths: ['/sales/activities/activity-plan/create'],
    steps: [
      { element: '.rp-fields', title: 'The plan', text: 'Name it, choose its days and the agents who drive it.' },
      {
        element: '.rp-pool',
        title: 'Unplanned activities',
        text: 'Choose here or draw around them on the map, then give them to an agent’s day.',
      },
      {
        element: '.rp-columns',
        title: 'Days and map',
        text: 'Order the stops by hand or by the shortest way. Conflicts are shown before you save.',
      },
      { element: '.view-header-actions', title: 'Undo and save', text: 'Ctrl Z takes a step back. Nothing counts before you save.' },
    ],
  },
  {
    name: 'targets',
    version: 1,
    title: 'Targets',
    paths: ['/sales/targets'],
    steps: [
      { element: '.tg-filter', title: 'Which targets', text: 'By owner, period and what counts.' },
      { element: '.tg-summary', title: 'At a glance', text: 'How many are reached, on the way or behind.' },
      {
        element: '.tg-group',
        title: 'One owner',
        text: 'The bar shows what is reached and what is expected by today. A click opens the records that count.',
      },
    ],
  },
  {
    name: 'reports',
    version: 1,
    title: 'Reports',
    paths: ['/reports', '/reports/standard'],
    steps: [
      { element: '.list-body', title: 'The reports', text: 'Each one says what it holds. Open it to choose dates and see its first rows.' },
      { element: '.list-toolbar', title: 'Sort and columns', text: 'Arrange the list as you need it.' },
    ],
  },
]

/** The tour of a screen, by the path that is open. */
export const tourOf = (path: string): Tour | undefined => tours.find(({ paths }) => paths.some((one) => isPathOf(path, one)))

function isPathOf(path: string, pattern: string): boolean {
  const [parts, wanted] = [path.split('/'), pattern.split('/')]
  return parts.length === wanted.length && wanted.every((part, index) => part.startsWith(':') || part === parts[index])
}
