import type { CallData } from '@outpost/client/client'

/** What the server answers to a run of the simulator. */
export type Simulation = CallData<'ussd.simulate'>
