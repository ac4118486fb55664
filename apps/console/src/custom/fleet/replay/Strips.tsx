import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { t } from '../../../session/labels.ts'
import { formatNumber } from '../../../view/formats.ts'
import { ignitionSpans, readingPath, speedPath, type Reading } from './replay.ts'
import { useDrawn } from './useDrawn.ts'
import { readReadings, type Day, type Stop } from './day.ts'

const strip = { width: 600, height: 72 }
const low = { width: 600, height: 40 }
const none: Reading[] = []

interface StripsProps {
  day: Day
  stops: readonly Stop[]
  /** ms since 1970. */
  span: { from: number; to: number }
  time: number
}

/** Speed, ignition, voltage and fuel over the day, one below the other on the scrubber's line of time. */
export function Strips({ day, stops, span, time }: StripsProps) {
  const { deviceId } = day
  const isDrawn = useDrawn(true)
  const { data = none, error } = useQuery({
    queryKey: ['records', 'replay-readings', deviceId, day.span.from],
    staleTime: 60_000,
    enabled: isDrawn && deviceId !== undefined,
    queryFn: ({ signal }) => readReadings(deviceId ?? '', day.span, signal),
  })
  return (
    <>
      <SpeedStrip day={day} stops={stops} span={span} time={time} />
      <IgnitionStrip readings={data} span={span} time={time} />
      <ReadingStrip readings={data} of="power" span={span} time={time} />
      <ReadingStrip readings={data} of="fuel" span={span} time={time} />
      {error ? <p className="fleet-nothing">{t('Ignition, voltage and fuel could not be read.')}</p> : null}
    </>
  )
}

const placeOf = ({ from, to }: StripsProps['span'], at: number) =>
  Math.max(0, Math.min(strip.width, ((at - from) / Math.max(1, to - from)) * strip.width))

function SpeedStrip({ day: { fixes, isWhole }, stops, span, time }: StripsProps) {
  const { from, to } = span
  const path = useMemo(() => speedPath(fixes, { from, to, ...strip }, !isWhole), [fixes, isWhole, from, to])
  return (
    <svg
      className="fleet-strip"
      viewBox={`0 0 ${strip.width} ${strip.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Speed over the day; stops are shaded')}
    >
      {stops.map(({ id, startTime, endTime }) => {
        const [left, right] = [placeOf(span, Date.parse(startTime)), endTime ? placeOf(span, Date.parse(endTime)) : strip.width]
        return <rect key={id} x={left} width={Math.max(1, right - left)} y={0} height={strip.height} />
      })}
      <path d={path} />
      <Now span={span} time={time} height={strip.height} />
    </svg>
  )
}

interface ReadingProps extends Omit<StripsProps, 'day' | 'stops'> {
  readings: readonly Reading[]
}

/** Shown where the tracker tells the ignition. */
function IgnitionStrip({ readings, span, time }: ReadingProps) {
  const spans = useMemo(() => ignitionSpans(readings), [readings])
  if (!readings.some(({ ignition }) => ignition !== null)) return null
  const hours = spans.reduce((sum, { from, to }) => sum + to - from, 0) / 3_600_000
  return (
    <figure className="fleet-reading">
      <figcaption>
        {t('Ignition')} · {formatNumber(Math.round(hours * 10) / 10)} h
      </figcaption>
      <svg
        className="fleet-strip"
        data-low
        viewBox={`0 0 ${low.width} ${low.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Ignition over the day; on is filled')}
      >
        {spans.map(({ from, to }) => {
          const [left, right] = [placeOf(span, from), placeOf(span, to)]
          return <rect key={from} data-on x={left} width={Math.max(1, right - left)} y={0} height={low.height} />
        })}
        <Now span={span} time={time} height={low.height} />
      </svg>
    </figure>
  )
}

/** Shown where the tracker tells this reading at least twice. */
function ReadingStrip({ readings, of, span, time }: ReadingProps & { of: 'power' | 'fuel' }) {
  const { from, to } = span
  const drawn = useMemo(() => readingPath(readings, of, { from, to, ...low }), [readings, of, from, to])
  if (!drawn) return null
  const now = readings.findLast((reading) => reading.time <= time && reading[of] !== null)?.[of] ?? null
  const unit = of === 'power' ? ' V' : ''
  const words = t(of === 'power' ? 'Voltage' : 'Fuel')
  return (
    <figure className="fleet-reading">
      <figcaption>
        {words} · {now === null ? '–' : `${tenths(now)}${unit}`} ({tenths(drawn.lowest)}–{tenths(drawn.highest)}
        {unit})
      </figcaption>
      <svg
        className="fleet-strip"
        data-low
        viewBox={`0 0 ${low.width} ${low.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('{{reading}} over the day', { reading: words })}
      >
        <path d={drawn.path} />
        <Now span={span} time={time} height={low.height} />
      </svg>
    </figure>
  )
}

const tenths = (value: number) => formatNumber(Math.round(value * 10) / 10)

const Now = ({ span, time, height }: Pick<StripsProps, 'span' | 'time'> & { height: number }) => (
  <line x1={placeOf(span, time)} x2={placeOf(span, time)} y1={0} y2={height} />
)
