import type { GeoReportName } from '@outpost/contract/geo/reports'

/** What each report of the geo service is called, what it shows, and what its figures mean. */
export const fleetReportTexts: Readonly<Record<GeoReportName, { title: string; description: string; definition: string }>> = {
  trips: {
    title: 'Trips',
    description: 'Each way from stop to stop: where from and to, distance, time, speeds, fuel and alerts on the way.',
    definition:
      'Trips that began on the days asked for, so that days add up to months. Distance is measured along fixes that can be trusted; "without data" are straight lines across holes. ' +
      'Alerts: warnings and critical events on the way. Quality: share of the fixes that could be measured by. Ways below 10 m are left out unless asked for.',
  },
  stops: {
    title: 'Stops',
    description: 'Where vehicles stood, how long, and whether the engine ran.',
    definition:
      'Stays that touch the days asked for, whole. Parked: engine off or unknown; idling: engine on for most of it; gap: nothing was heard for most of it. One that goes on has no end, and lasts until now or the end of the window.',
  },
  engine: {
    title: 'Engine hours',
    description: 'Times with the engine on, moving and idle, with a running counter.',
    definition:
      'Sessions that began on the days asked for. A silence of more than 15 minutes ends one. The counter sums all sessions of the device that are known. Known by: ignition, else the voltage of the supply, else motion.',
  },
  hotspots: {
    title: 'Hotspots',
    description: 'Places where vehicles stood at least twice: visits, time there, usual stay and share of nights.',
    definition:
      'Stays within 75 m of each other are one place; those before and after the window are cut to it. A night counts when somebody stood there at three in the morning.',
  },
  active: {
    title: 'Active devices',
    description: 'Devices that sent something: messages, days, distance, engine hours and coverage.',
    definition:
      "Coverage: messages received while under way, of those that the device's own median interval promises. Came late: share that arrived more than 15 minutes after it was made.",
  },
  'device-usage': {
    title: 'Device usage',
    description: 'All devices, the silent ones too: messages, days, distance, engine hours and coverage.',
    definition:
      "Coverage: messages received while under way, of those that the device's own median interval promises. Came late: share that arrived more than 15 minutes after it was made.",
  },
  summary: {
    title: 'Fleet summary',
    description: 'What each vehicle adds up to: distance, hours, trips, stops, idle time, top speed and days driven.',
    definition:
      'Trips, stops and engine sessions that began on the days asked for. A vehicle is an asset with all the devices it had, or a device that was on none. Average speed: distance by moving time.',
  },
  positions: {
    title: 'Positions',
    description: 'Every stored message with place, speed, ignition, odometer and satellites, and what happened at it.',
    definition: 'One device after the other, in the order of its own clock. Messages without a valid fix are shown, but never measured by.',
  },
  alarms: {
    title: 'Alarms',
    description: 'Alarms of devices, the newest first, with place, speed, driver, rule and who took note.',
    definition: 'Alarms that began on the days asked for; one that goes on is told once. What a later message disproved is left out.',
  },
  events: {
    title: 'Events',
    description: 'Everything that happened, the newest first: alarms, fences, ignition, speeding, idling, drivers.',
    definition: 'Events of the days asked for. What a later message disproved is left out.',
  },
  tamper: {
    title: 'Tampering',
    description: 'Power cuts, jamming, removed devices, towing and the silences after them, as incidents.',
    definition:
      'What follows within ten minutes belongs to one incident. Silence: at least two hours without a message that began within an hour of a cut. Towed: a whole way with the ignition off. Moved: straight line from where it began to where it was seen again.',
  },
  crash: {
    title: 'Crashes',
    description: 'Crashes that devices told, and sudden falls of speed after which the vehicle stood.',
    definition:
      'Confidence high: the device called it one. Low: speed fell by more than 40 km/h within two seconds and the vehicle stood within five minutes. Fell by: the hardest fall within five seconds. Review is NEW, APPROVED or REJECTED.',
  },
  battery: {
    title: 'Batteries',
    description: 'Supply by day: vehicle battery, device battery and charge, their change, and days left.',
    definition:
      "Change a day is the slope of a straight line through the day's values, of the vehicle's battery with the engine off. Days left: until empty at that slope, where the day's values lie along a line. Low is 11.9 V for a battery of 12 V (twice that for 24 V), 3.6 V for the device's own, 20 % of charge.",
  },
  'device-asset-history': {
    title: 'Device history',
    description: 'Which vehicle each device was on, and when.',
    definition: 'Spans that touch the days asked for. Trips keep the vehicle that the device was on at their time.',
  },
  'driver-behaviour': {
    title: 'Driver behaviour',
    description: 'Drivers by score: hard braking, acceleration and cornering, speeding, tired driving, and the sum that each score is.',
    definition:
      'Score: 100 less the penalty points of each 100 km; hard braking, acceleration and cornering cost 5 each, too fast and tired driving 10, high revs 2. No score below 10 km. Trips and events of the days asked for. Where no driver is known, the vehicle stands for its driver.',
  },
  utilisation: {
    title: 'Utilisation',
    description: 'How much each vehicle was used: days, distance, engine hours and idle share; the least used first.',
    definition:
      'A day is used when a trip began on it. Used: days used of the days asked for. Idle share: of the time under way, how long it stood with the engine on. Vehicles that stood all along are shown too.',
  },
  fuel: {
    title: 'Fuel',
    description: 'Fuel by vehicle and day where a tracker measures it: litres, litres on 100 km, fills and sudden drops.',
    definition:
      'Litres of the trips that began on the day and were measured, by the counter of the vehicle or the level of its tank. Vehicles whose trackers tell no fuel are not shown. Filled, Fell at once: events of the tracker.',
  },
  'fence-stays': {
    title: 'Fence visits',
    description: 'Who was in which fence or place, from when to when, and how long.',
    definition:
      'Visits that touch the days asked for, whole. One that goes on has no end, and lasts until now or the end of the window. Passed through: seen before and behind the fence, never in it.',
  },
}
