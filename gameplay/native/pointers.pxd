from gameplay.native.memory cimport address_of

cdef inline signed char* schars(owner) except NULL:
    return <signed char*>address_of(owner)

cdef inline unsigned char* uchars(owner) except NULL:
    return <unsigned char*>address_of(owner)

cdef inline short* shorts(owner) except NULL:
    return <short*>address_of(owner)

cdef inline unsigned short* ushorts(owner) except NULL:
    return <unsigned short*>address_of(owner)

cdef inline int* ints(owner) except NULL:
    return <int*>address_of(owner)

cdef inline unsigned int* uints(owner) except NULL:
    return <unsigned int*>address_of(owner)

cdef inline long long* longlongs(owner) except NULL:
    return <long long*>address_of(owner)

cdef inline unsigned long long* ulonglongs(owner) except NULL:
    return <unsigned long long*>address_of(owner)

cdef inline float* floats(owner) except NULL:
    return <float*>address_of(owner)

cdef inline double* doubles(owner) except NULL:
    return <double*>address_of(owner)
