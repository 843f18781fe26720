#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <stdlib.h>
static uint64_t now_(clockid_t clock){struct timespec t;if(clock_gettime(clock,&t))return ~(uint64_t)0;return (uint64_t)t.tv_sec*1000000000u+(uint64_t)t.tv_nsec;}
