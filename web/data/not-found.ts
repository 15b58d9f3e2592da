import { notFound } from '@tanstack/react-router';
import { ApiError } from './api.ts';

/** In a loader: turn the API's 404 into the page's 404. */
export function rethrowAsNotFound(error: unknown): never {
  throw error instanceof ApiError && error.status === 404 ? notFound() : error;
}
