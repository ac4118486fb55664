/** What a device may be told to do, by Traccar's command types (custom, engineStop, engineResume, positionSingle ...). */
export interface DeviceCommand {
  type: string
  parameters: Readonly<Record<string, string | number | boolean>>
  uniqueId: string
  /** Comes back as text in the answer of devices that return it: below 2^32 for GT06, a second of the day (UTC) for H02. */
  correlation: number
  model?: string | null
}
