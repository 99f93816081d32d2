/* L D Lᵀ or L Lᵀ of one sparse symmetric matrix by CHOLMOD (SuiteSparse): analysis and factors, as src/math/sparse/sparse-ldl.ts makes them, and one solution.
 * Input: doubles unknowns n and entries m of the lower triangle, n + 1 column starts, m rows, m values, n of the right side. Printed: largest entry of the solution. */
#include <math.h>
#include <suitesparse/cholmod.h>
#include "timing.h"

typedef struct {
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
} Problem;

static void factorise(void *argument) {
  Problem *problem = argument;
  if (problem->factor) cholmod_free_factor(&problem->factor, &problem->common);
  problem->factor = cholmod_analyze(problem->matrix, &problem->common);
  cholmod_factorize(problem->matrix, problem->factor, &problem->common);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  size_t size;
  const double *input = (const double *)read_input(arguments[1], &size);
  const size_t n = (size_t)input[0], m = (size_t)input[1];
  const double *start = input + 2, *row = start + n + 1, *value = row + m, *right = value + m;
  Problem problem = {.factor = NULL};
  cholmod_start(&problem.common);
  problem.matrix = cholmod_allocate_sparse(n, n, m, 1, 1, -1, CHOLMOD_REAL, &problem.common);
  int *columns = problem.matrix->p, *rows = problem.matrix->i;
  double *values = problem.matrix->x;
  for (size_t k = 0; k <= n; k++) columns[k] = (int)start[k];
  for (size_t k = 0; k < m; k++) rows[k] = (int)row[k], values[k] = value[k];
  const double seconds = repeat(factorise, &problem, atof(arguments[2]));
  cholmod_dense *b = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &problem.common);
  for (size_t k = 0; k < n; k++) ((double *)b->x)[k] = right[k];
  cholmod_dense *x = cholmod_solve(CHOLMOD_A, problem.factor, b, &problem.common);
  double largest = 0;
  for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(((double *)x->x)[k]));
  print_results(seconds, &largest, 1);
  return 0;
}
