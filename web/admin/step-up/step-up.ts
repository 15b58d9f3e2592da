import type { Api } from '#contract/api.ts';
import { type ApiResponseBody, type RouteInput, send, sendUntyped } from '../../data/api.ts';
import { isRefusal } from '../../data/error-text.ts';

/**
 * The open question for a step-up (a second proof of identity). Concurrent requests that need one share the question.
 */
interface StepUpQuestion {
  answer: Promise<boolean>;
  settle: (isProved: boolean) => void;
}
let pendingQuestion: StepUpQuestion | undefined;
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listener of listeners) listener();
};

/** The dialog reads and closes the open question with this object. */
export const openStepUpQuestion = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  get: () => pendingQuestion,
  close: (isProved: boolean) => {
    pendingQuestion?.settle(isProved);
    pendingQuestion = undefined;
    notifyListeners();
  },
};

/** Asks for a step-up. Resolves to false if the owner cancels. */
function openStepUpDialog(): Promise<boolean> {
  if (!pendingQuestion) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    pendingQuestion = { answer: promise, settle: resolve };
    notifyListeners();
  }
  return pendingQuestion.answer;
}

/** Sends a request that may need a step-up. If the API requires one, asks the owner and repeats the request. */
export async function sendWithStepUp<R extends keyof Api>(
  route: R,
  ...[input]: RouteInput<R>
): Promise<ApiResponseBody<R>> {
  const call = () => sendUntyped(route, input) as Promise<ApiResponseBody<R>>;
  try {
    return await call();
  } catch (error) {
    if (!isRefusal(error, 'step-up-needed') || !(await openStepUpDialog())) throw error;
  }
  return call();
}

/**
 * Asks for a step-up before a download, if one is needed. The browser itself sends the download request, so
 * sendWithStepUp cannot repeat it. Resolves to false if the owner cancels.
 */
export async function stepUpBeforeDownload(): Promise<boolean> {
  const { isProved } = await send('GET /api/admin/step-up');
  return isProved || openStepUpDialog();
}
