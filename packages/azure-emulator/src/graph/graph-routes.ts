import { computeBodyRefusal } from '../body/body-refusal.ts';
import { flag, list, oneOfTexts, record, requiredMember, text, whole } from '../body/shape.ts';
import { ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { type GraphAnswerRow, graphAnswerRowOf, parseGraphQuery } from './graph-query.ts';
import type { WriteLog } from './write-log.ts';

const PAGE = 1_000;

interface GraphBody {
  readonly subscriptions?: readonly string[];
  readonly query: string;
  readonly options?: { readonly $top?: number; readonly $skip?: number; readonly $skipToken?: string };
}

const graphShape = record('QueryRequest', {
  subscriptions: list(text()),
  managementGroups: list(text()),
  query: requiredMember(text()),
  options: record('QueryRequestOptions', {
    $top: whole(1, PAGE),
    $skip: whole(0, 1_000_000),
    $skipToken: text(/^\d+$/),
    resultFormat: oneOfTexts('objectArray'),
    allowPartialScopes: flag,
  }),
});

const unreadable = (part: string): ArmReply =>
  armRefusalReply({
    status: 400,
    error: {
      code: 'BadRequest',
      message: 'Please provide below info when asking for support: timestamp, correlationId.',
      details: [
        {
          code: 'InvalidQuery',
          message: `Query is invalid. Please refer to the documentation for the Azure Resource Graph service and fix the error before retrying: ${part}`,
        },
      ],
    },
  });

interface Page {
  readonly rows: readonly GraphAnswerRow[];
  readonly total: number;
  /** Where the next page starts. */
  readonly next: number | undefined;
}

const pageOf = (rows: readonly GraphAnswerRow[], options: GraphBody['options'], pageSize: number): Page => {
  const from = Number(options?.$skipToken ?? options?.$skip ?? 0);
  const to = from + Math.min(options?.$top ?? PAGE, pageSize);
  return { rows: rows.slice(from, to), total: rows.length, next: to < rows.length ? to : undefined };
};

const projected = (row: GraphAnswerRow, columns: readonly string[] | undefined): GraphAnswerRow =>
  columns ? Object.fromEntries(columns.map((column) => [column, row[column] ?? null])) : row;

const query = (world: ArmWorld, writes: WriteLog, request: ArmRequest): ArmReply => {
  const malformed = computeBodyRefusal(request.body, graphShape);
  if (malformed) return armRefusalReply(malformed);
  const body = request.body as GraphBody;
  const parsed = parseGraphQuery(body.query);
  if (parsed.kind === 'unreadable') return unreadable(parsed.part);
  const subscribed = body.subscriptions?.includes(world.account.subscriptionId) ?? true;
  const rows = subscribed ? writes.visible().map(graphAnswerRowOf).filter(parsed.test) : [];
  const page = pageOf(rows, body.options, world.pageSize ?? PAGE);
  return ok({
    totalRecords: page.total,
    count: page.rows.length,
    data: page.rows.map((row) => projected(row, parsed.columns)),
    facets: [],
    resultTruncated: page.next === undefined ? 'false' : 'true',
    ...(page.next !== undefined && { $skipToken: String(page.next) }),
  });
};

/** Resource Graph: the resources as they were a moment ago. */
export const graphRoutes = (world: ArmWorld, writes: WriteLog): readonly ArmRoute[] => [
  {
    operation: 'Resources_Query',
    method: 'POST',
    path: '/providers/Microsoft.ResourceGraph/resources',
    handle: (request) => query(world, writes, request),
  },
];
