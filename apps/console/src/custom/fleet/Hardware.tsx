import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type CallData } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { DevicesHeader } from './DevicesHeader.tsx'
import { Outdated, soonAfterFailure } from './Outdated.tsx'
import './fleet.css'

type Kind = CallData<'devices.hardware'>['hardware'][number]

/** Which trackers there are, by make and model: how many of each, and how many of those are connected. */
export function Hardware() {
  const search = textOf(useAddress().address.search) ?? ''
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'device', 'hardware', search],
    placeholderData: keepPreviousData,
    refetchInterval: soonAfterFailure(),
    queryFn: async ({ signal }) =>
      (await call('devices.hardware', { query: { size: 1_000, ...(search === '' ? {} : { search }) } }, { signal })).data.hardware,
  })
  return (
    <>
      <DevicesHeader
        title={t('Hardware')}
        count={data ? t('{{count}} kinds', { count: data.length }) : ''}
        placeholder={t('Make, model or protocol')}
      />
      <Outdated error={data ? error : null} onRetry={refetch} />
      {error && !data ? (
        <ErrorState error={error} what={t('The hardware')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : data.length === 0 ? (
        <EmptyState title={t('No hardware here')} body={t('Makes and models of your devices appear here.')} />
      ) : (
        <div className="fleet-box fleet-scroll-x">
          <Kinds kinds={data} />
        </div>
      )}
    </>
  )
}

function Kinds({ kinds }: { kinds: readonly Kind[] }) {
  return (
    <table className="fleet-table">
      <thead>
        <tr>
          {['Make', 'Model', 'Protocol'].map((head) => (
            <th key={head} scope="col">
              {t(head)}
            </th>
          ))}
          {['Devices', 'Online'].map((head) => (
            <th key={head} scope="col" className="fleet-number">
              {t(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={[kind.make, kind.model, kind.protocol].join('|')}>
            <td>{kind.make ?? '–'}</td>
            <td>{kind.model ?? '–'}</td>
            <td>{kind.protocol ?? '–'}</td>
            <td className="fleet-number">
              <Link to="/tracking/devices" search={{ filter: termsOf(kind) } as never}>
                {kind.devices}
              </Link>
            </td>
            <td className="fleet-number">
              <Link
                to="/tracking/devices"
                search={{ filter: [...termsOf(kind), { field: 'status', op: 'in', value: ['online'] }] } as never}
              >
                {kind.online}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The devices that a row counts, as the list of devices is filtered. */
const termsOf = ({ make, model, protocol }: Kind) =>
  Object.entries({ make, model, protocol }).map(([field, value]) => (value === null ? { field, op: 'empty' } : { field, op: 'eq', value }))
